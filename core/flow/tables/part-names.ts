/** Marks a text with a part that is named as a key that programs draw is. */
export const DRAWN = '@drawn'

/** `ID`, `uuid`, `orderUuid`, `GUID`, and codes of currencies. Facts: capire, "Universally Unique IDs": keys of `cuid` are called `ID`; ISO 4217: three letters. */
export const DRAWN_NAMES: RegExp = /^(?:ID|[ug]uid|[UG]uid|currency_code)$|(?:[UG]uid|[UG]UID|[cC]urrencyCode)$/

/** `row.id`, `row._id`: a key that the database or the server draws for most rows. */
export const ROW_KEY: RegExp = /^_?id$/

/** `createdAt`, `updated_on`: a time that the server writes down. */
export const STAMP_NAMES: RegExp = /[a-z]At$|_at$|^(?:created|updated|modified|changed)_?(?:on|date|time)$/i

/** `balance`, `totalAmount`, `item_count`, `startDate`, `createdAt`, `currency_code`: a number, a date or a code, where the code encodes the texts beside it. */
export const MEASURED_NAMES: RegExp =
  /(?:^|_)(?:balance|amount|total|sum|count|qty|quantity|price|cost|salary|days|hours|minutes|percent(?:age)?|rate|ratio|score|rating|points|progress|stock|year|month|date|time|currency(?:_code)?)$|[a-z](?:Balance|Amount|Total|Sum|Count|Qty|Quantity|Price|Cost|Salary|Days|Hours|Minutes|Percent(?:age)?|Rate|Ratio|Score|Rating|Points|Progress|Stock|Year|Month|Date|Time|At|Currency(?:Code)?)$/

/** Functions that encode a text for markup, by their names: `esc`, `escapeHtml`, `encodeXML`. */
export const ENCODER_NAMES: RegExp = /^(?:esc|escape|encode|sanitize|purify)(?:_?(?:html|xml|text|attr(?:ibute)?|markup))?$/i

/** Marks what became JSON: of an exception its code and what code has added, neither message nor stack. */
export const AS_JSON = '@json'
