import type { JSX } from 'preact'
import { toVisible } from '../../../core/report/writers/characters.ts'
import type { AccessMap, MapNode } from '../state/access-map.ts'
import { say } from '../words/index.ts'

const NODE = { width: 280, height: 69, gap: 16 }
const COLUMNS = [0, 340, 680] as const
const WIDTH = COLUMNS[2] + NODE.width
const TOP = 36
/** A picture of more is none: the table has them all. */
const MOST = 40
/** Of a line: of the name, and of who may use it in a narrower script. */
const CHARACTERS = 33
const NARROW = 38

const middle = (index: number): number => TOP + index * (NODE.height + NODE.gap) + NODE.height / 2

/** Routes at the left, services in the middle, their entities at the right, and what leads where. */
export function AccessMapPicture({ map }: { map: AccessMap }): JSX.Element {
  const columns = [map.routes, map.services, map.entities].map((nodes) => nodes.slice(0, MOST))
  const heads = [say('mapRoutes'), say('mapServices'), say('mapEntities')]
  const height = TOP + Math.max(...columns.map(({ length }) => length), 1) * (NODE.height + NODE.gap)
  const counts = { routes: map.routes.length, services: map.services.length, entities: map.entities.length }
  return (
    <svg class="access-map" viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={say('mapPicture', counts)}>
      {heads.map((head, column) => (
        <text key={head} class="map-head" x={COLUMNS[column]} y="18">
          {head}
        </text>
      ))}
      <Links links={map.links} from={map.routes} x={COLUMNS[0]} />
      <Links links={map.holds} from={map.services} x={COLUMNS[1]} />
      {columns.map((nodes, column) =>
        nodes.map((node, index) => (
          <Node key={node.key} node={node} x={COLUMNS[column] ?? 0} y={middle(index) - NODE.height / 2} />
        )),
      )}
    </svg>
  )
}

interface LinksProps {
  readonly links: AccessMap['links']
  readonly from: readonly MapNode[]
  /** Of the column where they begin. */
  readonly x: number
}

function Links({ links, from, x }: LinksProps): JSX.Element {
  const [start, end] = [x + NODE.width, x + COLUMNS[1]]
  const bend = (start + end) / 2
  return (
    <>
      {links
        .filter((ends) => Math.max(...ends) < MOST)
        .map(([one, other]) => (
          <path
            key={`${one} ${other}`}
            class={`map-link ${from[one]?.severity?.toLowerCase() ?? ''}`}
            d={`M${start} ${middle(one)} C${bend} ${middle(one)} ${bend} ${middle(other)} ${end} ${middle(other)}`}
          />
        ))}
    </>
  )
}

function Node({ node, x, y }: { node: MapNode; x: number; y: number }): JSX.Element {
  const name = toVisible(node.name)
  const [who = '', more = ''] = splitLine(toVisible(node.who))
  return (
    <g class={`map-node ${node.severity?.toLowerCase() ?? ''}`}>
      <title>{`${name}: ${toVisible(node.right)}`}</title>
      <rect x={x + 0.5} y={y + 0.5} width={NODE.width - 1} height={NODE.height - 1} rx="8" />
      <rect class="map-edge" x={x + 0.5} y={y + 0.5} width="5" height={NODE.height - 1} rx="2.500" />
      <text class="map-name" x={x + 18} y={y + (who === '' ? 39 : more === '' ? 31 : 22)}>
        {cut(name, CHARACTERS)}
      </text>
      <text class="map-who" x={x + 18} y={y + (more === '' ? 50 : 41)}>
        {cut(who, NARROW)}
      </text>
      {more !== '' && (
        <text class="map-who" x={x + 18} y={y + 58}>
          {cut(more, NARROW)}
        </text>
      )}
    </g>
  )
}

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text)

/** A text of two lines where one has no room for it, the first up to its last word. */
function splitLine(text: string): readonly string[] {
  if (text.length <= NARROW) return [text]
  const end = text.lastIndexOf(' ', NARROW)
  return end <= 0 ? [text] : [text.slice(0, end), text.slice(end + 1)]
}
