import { MODEL_WRITTEN } from '../tables/language-models.ts'
import { PREFIXED } from '../tables/web.ts'
import type { FlowSource } from '../types.ts'

/** A package, or a browser, that hands what others sent to a function that it is given. `origin` is left out for what a server gets. */
export interface CallbackSource extends Partial<Pick<FlowSource, 'origin' | 'cleaned' | 'weak'>> {
  readonly calls: readonly string[]
  /** The first argument, where that decides: `client.on('message', …)`. */
  readonly event?: string
  /** Where that arrives, in the notation of CodeQL's data extensions: from the call to the function, and from one of its parameters to the data. Steps: Argument, Member, Parameter, ArrayElement. */
  readonly at: AccessPath
  /** How many parameters the function has, where that decides what they are. */
  readonly parameters?: number
  /** The schema that the data fits: an argument, or a field of one. */
  readonly schema?: { readonly argument: number; readonly field?: string }
  /** What arrives there hands the data to functions of its own: `io.on('connection', (socket) => { socket.on('order', (data) => …) })`. */
  readonly listener?: Listener
}

type AccessPath = `Argument[${number}]${string}Parameter[${number}]${string}`

interface Listener {
  /** The method that takes the function; its first argument is the event. */
  readonly method: string
  /** The only event with data; undefined: every one but `besides`. */
  readonly event?: string
  readonly besides?: readonly string[]
  readonly at: AccessPath
}

const MCP_SERVER = 'module:@modelcontextprotocol/sdk/server/mcp McpServer new'

/** What makes a WebSocket server. Facts: ws 8.18 (doc/ws.md), socket.io 4.8 (Server API), engine.io 6.6 (README, "Server"). */
const WS_SERVERS: readonly string[] = ['Server', 'WebSocketServer', 'WebSocket Server'].map((name) => `module:ws ${name} new`)
const SOCKET_IO_SERVERS: readonly string[] = ['Server new', 'new', '()', 'Server ()', 'listen ()'].map(
  (name) => `module:socket.io ${name}`,
)
const ENGINE_IO_SERVERS: readonly string[] = ['Server new', 'attach ()', 'listen ()', '()'].map(
  (name) => `module:engine.io ${name}`,
)
export const SOCKET_SERVERS: readonly string[] = [...WS_SERVERS, ...SOCKET_IO_SERVERS, ...ENGINE_IO_SERVERS]

const IOREDIS_CLIENTS: readonly string[] = ['new on', 'Redis new on'].map((path) => `module:ioredis ${path}`)

/** Methods that take a listener of an event as `on` does. Fact: Node.js 24, "EventEmitter". */
export const LISTENING: ReadonlySet<string> = new Set(['on', 'once', 'addListener', 'prependListener', 'prependOnceListener'])
/** They and those that take one away give back what they are called on. */
export const CHAINED: ReadonlySet<string> = new Set([...LISTENING, 'off', 'removeListener', 'removeAllListeners'])

/** Events of a connection of socket.io that its client does not send. */
const OWN_EVENTS: readonly string[] = ['disconnect', 'disconnecting', 'error']
const CONNECTS: Pick<CallbackSource, 'calls' | 'event'> = {
  calls: SOCKET_IO_SERVERS.flatMap((server) => ['on', 'of () on', 'sockets on'].map((method) => `${server} ${method}`)),
  event: 'connection',
}

/**
 * Arguments of tools: what a language model writes for the question of a user, and what a client of an MCP server sends. Facts: @langchain/core 1.4 (dist/tools: `tool`, `DynamicStructuredTool`), langchain 1.5 (index.d.ts), ai 5 (`tool`), @modelcontextprotocol/sdk 1.32 (server/mcp.d.ts).
 */
const TOOLS: readonly CallbackSource[] = [
  {
    calls: ['module:@langchain/core/tools tool', 'module:langchain tool'],
    at: 'Argument[0].Parameter[0]',
    schema: { argument: 1, field: 'schema' },
    cleaned: [MODEL_WRITTEN],
  },
  {
    calls: ['module:@langchain/core/tools', 'module:langchain', 'module:langchain/tools'].flatMap((from) =>
      ['DynamicStructuredTool', 'DynamicTool'].map((name) => `${from} ${name} new`),
    ),
    at: 'Argument[0].Member[func].Parameter[0]',
    schema: { argument: 0, field: 'schema' },
    cleaned: [MODEL_WRITTEN],
  },
  {
    calls: ['module:ai tool'],
    at: 'Argument[0].Member[execute].Parameter[0]',
    schema: { argument: 0, field: 'inputSchema' },
    cleaned: [MODEL_WRITTEN],
  },
  ...([2, 3, 4] as const).map((last): CallbackSource => ({
    calls: [`${MCP_SERVER} tool`],
    at: `Argument[${last}].Parameter[0]`,
    // name, description?, schema, annotations?, function
    schema: { argument: last === 2 ? 1 : 2 },
  })),
  {
    calls: [`${MCP_SERVER} registerTool`],
    at: 'Argument[2].Parameter[0]',
    schema: { argument: 1, field: 'inputSchema' },
  },
]

/**
 * What a login form sends, of any type that its parser makes: with `passReqToCallback` behind the request. Facts: passport-local 1.0 (README, "Configure Strategy"; lib/strategy.js: `lookup(req.body, field)`).
 */
export const LOGIN_FORMS: readonly CallbackSource[] = ([0, 1] as const).flatMap((argument) =>
  (
    [
      [3, 0],
      [3, 1],
      [4, 1],
      [4, 2],
    ] as const
  ).map(([parameters, sent]): CallbackSource => ({
    calls: ['new', 'Strategy new'].map((made) => `module:passport-local ${made}`),
    at: `Argument[${argument}].Parameter[${sent}]`,
    parameters,
  })),
)

/**
 * Messages of brokers and sockets: whoever may send there chooses them. Facts: documentations of kafkajs 2 ("Consuming messages"), node-rdkafka 3 (README, "Stream API", "Standard API"; index.d.ts, `Message`), amqplib 0.10 (channel API), mqtt 5 ("Event 'message'"),
 * nats 2 and @nats-io/nats-core 3 ("SubscriptionOptions"), @azure/service-bus 7 (`ServiceBusReceiver.subscribe`), @azure/event-hubs 6, @google-cloud/pubsub 5, nsqjs 0.13 (README, "Message"), redis 5 ("Pub/Sub"), ioredis 5 (README, "Pub/Sub"), sqs-consumer 14 ("ConsumerOptions"; of a message
 * its sender chooses the body and the attributes), @stomp/stompjs 7 (`Client.subscribe`, `IFrame`), ws 8.18 ("Event: 'message'"), socket.io 4.8 ("Listening to events", `socket.handshake`).
 */
export const CALLBACK_SOURCES: readonly CallbackSource[] = [
  { calls: ['module:kafkajs Kafka new consumer () run'], at: 'Argument[0].Member[eachMessage].Parameter[0].Member[message]' },
  {
    calls: ['module:kafkajs Kafka new consumer () run'],
    at: 'Argument[0].Member[eachBatch].Parameter[0].Member[batch].Member[messages].ArrayElement',
  },
  ...['value', 'key', 'headers'].map((part): CallbackSource => ({
    calls: ['new on', 'createReadStream () on'].map((path) => `module:node-rdkafka KafkaConsumer ${path}`),
    event: 'data',
    at: `Argument[1].Parameter[0].Member[${part}]`,
  })),
  {
    calls: ['module:amqplib connect () createChannel () consume', 'module:amqplib connect () createConfirmChannel () consume'],
    at: 'Argument[1].Parameter[0].Member[content]',
  },
  {
    calls: ['module:mqtt connect () on', 'module:mqtt connectAsync () on'],
    event: 'message',
    at: 'Argument[1].Parameter[1]',
  },
  {
    calls: ['module:@azure/service-bus ServiceBusClient new createReceiver () subscribe'],
    at: 'Argument[0].Member[processMessage].Parameter[0].Member[body]',
  },
  {
    calls: ['module:@azure/event-hubs EventHubConsumerClient new subscribe'],
    at: 'Argument[0].Member[processEvents].Parameter[0].ArrayElement.Member[body]',
  },
  {
    calls: ['module:@google-cloud/pubsub PubSub new subscription () on'],
    event: 'message',
    at: 'Argument[1].Parameter[0].Member[data]',
  },
  { calls: ['module:nsqjs Reader new on'], event: 'message', at: 'Argument[1].Parameter[0].Member[body]' },
  {
    calls: ['module:redis createClient () subscribe', 'module:redis createClient () pSubscribe'],
    at: 'Argument[1].Parameter[0]',
  },
  { calls: IOREDIS_CLIENTS, event: 'message', at: 'Argument[1].Parameter[1]' },
  { calls: IOREDIS_CLIENTS, event: 'pmessage', at: 'Argument[1].Parameter[2]' },
  {
    calls: ['module:nats connect () subscribe', 'module:@nats-io/transport-node connect () subscribe'],
    at: 'Argument[1].Member[callback].Parameter[1]',
  },
  ...['body', 'binaryBody', 'headers'].map((part): CallbackSource => ({
    calls: ['Client new', 'Stomp client ()', 'Stomp over ()'].map((made) => `module:@stomp/stompjs ${made} subscribe`),
    at: `Argument[1].Parameter[0].Member[${part}]`,
  })),
  ...['Body', 'MessageAttributes'].flatMap((part): CallbackSource[] => {
    const calls = ['module:sqs-consumer Consumer create', 'module:sqs-consumer Consumer new']
    return [
      { calls, at: `Argument[0].Member[handleMessage].Parameter[0].Member[${part}]` },
      { calls, at: `Argument[0].Member[handleMessageBatch].Parameter[0].ArrayElement.Member[${part}]` },
    ]
  }),
  {
    calls: [...WS_SERVERS, ...ENGINE_IO_SERVERS].map((server) => `${server} on`),
    event: 'connection',
    at: 'Argument[1].Parameter[0]',
    listener: { method: 'on', event: 'message', at: 'Argument[1].Parameter[0]' },
  },
  ...([0, 1, 2] as const).map((sent): CallbackSource => ({
    ...CONNECTS,
    at: 'Argument[1].Parameter[0]',
    listener: { method: 'on', besides: OWN_EVENTS, at: `Argument[1].Parameter[${sent}]` },
  })),
  { ...CONNECTS, at: 'Argument[1].Parameter[0].Member[handshake].Member[query]' },
  ...TOOLS,
  ...LOGIN_FORMS,
]

/**
 * Answers of other systems: somebody else wrote what they hold. No package to look for by its name, which is part of many words: a script that asks others in this way has a route.
 * Fact: README of request 2 (`request(options, (error, response, body) => …)`, "Convenience methods").
 */
export const ANSWER_SOURCES: readonly CallbackSource[] = (['Parameter[2]', 'Parameter[1].Member[body]'] as const).map((part) => ({
  calls: ['', ' get', ' post', ' put', ' patch', ' delete', ' del'].map((method) => `module:request${method}`),
  at: `Argument[1].${part}`,
  origin: 'stored',
  weak: true,
}))

/**
 * The same in pages. Facts: Web Application Launch Handler API, "LaunchParams": who links to an installed app chooses the address, within its scope. HTML standard, "NavigateEvent": who links to a page chooses where its router goes. "BroadcastChannel": any page of the same origin
 * posts there, as it writes into the storage. Web NFC, "NDEFReadingEvent": whoever writes a tag chooses its records.
 */
export const PAGE_CALLBACK_SOURCES: readonly (CallbackSource & Pick<FlowSource, 'origin'>)[] = [
  {
    calls: ['global:launchQueue setConsumer'],
    at: 'Argument[0].Parameter[0].Member[targetURL]',
    origin: 'url',
    cleaned: [PREFIXED],
  },
  {
    calls: ['global:navigation addEventListener'],
    event: 'navigate',
    at: 'Argument[1].Parameter[0].Member[destination].Member[url]',
    origin: 'url',
    cleaned: [PREFIXED],
  },
  {
    calls: ['global:BroadcastChannel new addEventListener'],
    event: 'message',
    at: 'Argument[1].Parameter[0].Member[data]',
    origin: 'storage',
  },
  {
    calls: ['global:NDEFReader new addEventListener'],
    event: 'reading',
    at: 'Argument[1].Parameter[0].Member[message]',
    origin: 'imported',
  },
]

/** Names that are parts of many words. */
const SHORT = 3

/** `navigation`, not `launchQueue`. */
const WORD = /^[a-z]+$/

/** Packages of which a script speaks that gets such messages, and objects of pages. */
export const CALLBACK_PACKAGES: readonly string[] = [
  ...new Set(CALLBACK_SOURCES.flatMap(({ calls }) => calls.map((path) => path.slice('module:'.length).split(' ', 1)[0] ?? ''))),
].flatMap((name) => (name.length > SHORT ? [name] : [`'${name}'`, `"${name}"`]))
export const CALLBACK_OBJECTS: readonly string[] = [
  ...new Set(
    PAGE_CALLBACK_SOURCES.flatMap(({ calls }) =>
      calls.map((path) => {
        const [object = '', member = ''] = path.slice('global:'.length).split(' ')
        // a word of the language stands in many scripts
        return WORD.test(object) ? `${object}.${member}` : object
      }),
    ),
  ),
]
