import type { SinkRow } from './sinks.ts'

const MODEL_METHOD = /(?:ODataModel new|[mM]odel(?: \(\))?) \w+$/
const ELSE: Pick<RegExp, 'test'> = { test: (path) => !MODEL_METHOD.test(path) }

/** Paths, keys and filters of OData. Facts: API reference of SAPUI5 1.136, sap.ui.model.odata.v2.ODataModel, sap.ui.model.odata.v4.ODataModel and ODataListBinding. */
export const ODATA_SINKS: readonly SinkRow[] = [
  {
    fault: 'ui5/odata-filter-injection',
    named: {
      how: 'call',
      names: [
        'read',
        'update',
        'remove',
        'create',
        'callFunction',
        'bindProperty',
        'delete',
        'getContext',
        'getKeepAliveContext',
        'createBindingContext',
      ],
      on: MODEL_METHOD,
    },
    args: [0],
    needs: 'concatenated',
  },
  // whatever the model is called, the text is a path with a key or parameters: `/Orders('`, `/Orders(ID='`, `/limit?customer='`
  {
    fault: 'ui5/odata-filter-injection',
    named: {
      how: 'call',
      names: ['read', 'update', 'remove', 'create', 'callFunction'],
      on: ELSE,
    },
    args: [0],
    needs: 'concatenated',
    only: { leading: /^\/[A-Z]\w{0,80}\((?:\w{1,80}=)?'?$|^\/[A-Z]\w{0,80}\?[$\w]{1,80}=/ },
  },
  // methods of OData models and of nothing else
  {
    fault: 'ui5/odata-filter-injection',
    named: { how: 'call', names: ['bindList', 'bindContext'] },
    args: [0],
    needs: 'concatenated',
  },
  {
    fault: 'ui5/odata-filter-injection',
    named: { how: 'call', names: ['bindElement', 'bindObject'] },
    args: [0],
    fields: ['path'],
    needs: 'concatenated',
  },
  {
    fault: 'ui5/odata-filter-injection',
    named: { how: 'call', names: ['bindItems', 'bindRows'] },
    args: [0],
    fields: ['path'],
    needs: 'concatenated',
  },
  {
    fault: 'ui5/odata-filter-injection',
    named: { how: 'call', names: ['bindAggregation'] },
    args: [1],
    fields: ['path'],
    needs: 'concatenated',
  },
  {
    fault: 'ui5/odata-filter-injection',
    named: { how: 'set', names: ['$filter', '$search', '$orderby', '$expand'] },
    args: [0],
    needs: 'concatenated',
    isPassedOn: true,
  },
  {
    fault: 'ui5/odata-filter-injection',
    named: { how: 'field', names: ['$filter', '$search', '$orderby'] },
    args: [0],
    needs: 'concatenated',
    isPassedOn: true,
  },

  ...(
    [
      ['field', 'urlParameters', 0],
      ['call', 'changeParameters', 0],
      ['call', 'bindList', 4],
    ] as const
  ).map(([how, name, argument]): SinkRow => ({
    fault: 'ui5/odata-filter-injection',
    named: { how, names: [name] },
    args: [argument],
    needs: 'concatenated',
    made: ['$filter', '$search', '$orderby'],
  })),
]
