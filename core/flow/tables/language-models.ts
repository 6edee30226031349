/** Whether a file may ask a language model at all. */
export const MAY_ASK_MODEL: RegExp =
  /openai|anthropic|@sap-ai-sdk|langchain|ollama|generative-ai|genai|mistral|groq|cap-llm-plugin|completions|chatCompletion|ChatCompletion|generateContent|generateText/

/** Packages by which a project asks models or gives them tools; specification of MCP for its SDK. */
export const MODEL_CLIENTS: RegExp =
  /^(?:openai|ollama|ai|groq-sdk|langchain|cap-llm-plugin|@anthropic-ai\/.{1,80}|@sap-ai-sdk\/.{1,80}|@langchain\/.{1,80}|@ai-sdk\/.{1,80}|@mistralai\/.{1,80}|@google\/(?:genai|generative-ai)|@azure\/openai|@modelcontextprotocol\/.{1,80}|@openai\/.{1,80})$/

/**
 * Packages whose clients ask models, and the names of the calls whose answer a model writes.
 * Facts: documentation of openai (4 and 5), @anthropic-ai/sdk, @sap-ai-sdk (orchestration, foundation-models, langchain), @langchain/core, ollama, ai, @google/genai, cap-llm-plugin.
 */
const MODEL_PACKAGES = /^module:(?:openai|@anthropic-ai|@sap-ai-sdk|@langchain|ollama|ai|@mistralai|@google)(?=[/ ]|$)/
const ASKING: ReadonlySet<string> = new Set(
  'create parse run invoke call predict chat generate generateText generateObject generateContent complete'.split(' '),
)
/** Names that say it by themselves, whichever file the client comes from. */
const ASKING_ANYWHERE =
  /(?:^| )(?:chat completions create|chatCompletion|getChatCompletion(?:WithConfig|WithConfigOptions|Complex)?|getRagResponse(?:WithConfig)?|generateContent)$/

/** Whether a model writes what a call gives, by its access path. */
export function asksModel(path: string): boolean {
  if (ASKING_ANYWHERE.test(path)) return true
  return MODEL_PACKAGES.test(path) && ASKING.has(path.slice(path.lastIndexOf(' ') + 1))
}

/** Marks a text that a model wrote. */
export const MODEL_WRITTEN = '@model'
/** Marks an argument of a tool that the project itself runs: it counts where the project asks models. */
export const OWN_TOOL = '@tool'

/** Addresses under which models answer: `/v1/chat/completions`, `/v2/completion` of SAP AI Core's orchestration, `/api/generate` of Ollama. */
export const MODEL_ADDRESS: RegExp =
  /\/(?:chat\/completions|completions?|v1\/messages|v1\/responses|api\/(?:generate|chat))(?:\?[^?]{0,200})?$|:generateContent$/
