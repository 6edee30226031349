import type { JSX } from 'preact'
import { toVisible } from '../../../core/report/writers/characters.ts'
import type { AccessMap, MapNode } from '../state/access-map.ts'
import { say } from '../words/index.ts'

const WIDTH = 960
const NODE = { width: 360, height: 52, gap: 16 }
const RIGHT = WIDTH - NODE.width
const TOP = 36
/** A picture of more is none: the table has them all. */
const MOST = 40
const CHARACTERS = 44

const middle = (index: number): number => TOP + index * (NODE.height + NODE.gap) + NODE.height / 2

/** Routes at the left, services at the right, and what leads where. */
export function AccessMapPicture({ map }: { map: AccessMap }): JSX.Element {
  const routes = map.routes.slice(0, MOST)
  const services = map.services.slice(0, MOST)
  const height = TOP + Math.max(routes.length, services.length, 1) * (NODE.height + NODE.gap)
  const label = say('mapPicture', { routes: map.routes.length, services: map.services.length })
  return (
    <svg class="access-map" viewBox={`0 0 ${WIDTH} ${height}`} role="img" aria-label={label}>
      <text class="map-head" x="0" y="18">
        {say('mapRoutes')}
      </text>
      <text class="map-head" x={RIGHT} y="18">
        {say('mapServices')}
      </text>
      {map.links
        .filter(([from, to]) => from < routes.length && to < services.length)
        .map(([from, to]) => {
          const [y1, y2] = [middle(from), middle(to)]
          const bend = (NODE.width + RIGHT) / 2
          return (
            <path
              key={`${from} ${to}`}
              class={`map-link ${routes[from]?.severity?.toLowerCase() ?? ''}`}
              d={`M${NODE.width} ${y1} C${bend} ${y1} ${bend} ${y2} ${RIGHT} ${y2}`}
            />
          )
        })}
      {routes.map((node, index) => (
        <Node key={node.key} node={node} x={0} y={middle(index) - NODE.height / 2} />
      ))}
      {services.map((node, index) => (
        <Node key={node.key} node={node} x={RIGHT} y={middle(index) - NODE.height / 2} />
      ))}
    </svg>
  )
}

function Node({ node, x, y }: { node: MapNode; x: number; y: number }): JSX.Element {
  const name = toVisible(node.name)
  const who = toVisible(node.who)
  return (
    <g class={`map-node ${node.severity?.toLowerCase() ?? ''}`}>
      <title>{`${name}: ${toVisible(node.right)}`}</title>
      <rect x={x + 0.5} y={y + 0.5} width={NODE.width - 1} height={NODE.height - 1} rx="8" />
      <rect class="map-edge" x={x + 0.5} y={y + 0.5} width="5" height={NODE.height - 1} rx="2.500" />
      <text class="map-name" x={x + 18} y={y + (who === '' ? 31 : 22)}>
        {cut(name)}
      </text>
      <text class="map-who" x={x + 18} y={y + 41}>
        {cut(who)}
      </text>
    </g>
  )
}

const cut = (text: string): string => (text.length > CHARACTERS ? `${text.slice(0, CHARACTERS - 1)}…` : text)
