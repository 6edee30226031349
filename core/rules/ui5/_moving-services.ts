/** A service whose script its provider changes at any time: no version of it can be named, and no hash fits it. */
interface MovingService {
  /** Its scripts in one project are one matter. */
  readonly provider: string
  readonly host: RegExp
  readonly path: RegExp
}

/**
 * Facts: documents of the providers, which give these addresses alone and ask to load them from there: Google (API client `apis.google.com/js/api.js`, Maps JavaScript API, Charts `loader.js`,
 * reCAPTCHA, Identity Services `gsi/client`, Tag Manager and gtag.js, Analytics, Publisher Tag), Meta (JavaScript SDK), Microsoft (Clarity), LinkedIn (Insight Tag), Stripe ("Including
 * Stripe.js": must be loaded from js.stripe.com), PayPal (JavaScript SDK), Cloudflare (Turnstile, Web Analytics), hCaptcha, Hotjar.
 */
const MOVING_SERVICES: readonly MovingService[] = [
  { provider: 'google', host: /^apis\.google\.com$/u, path: /^\/js\//u },
  { provider: 'google', host: /^maps\.google(?:apis)?\.com$/u, path: /^\/maps\/api\/js/u },
  { provider: 'google', host: /^www\.(?:google|gstatic)\.com$/u, path: /^\/(?:charts\/loader\.js|jsapi|recaptcha\/)/u },
  { provider: 'google', host: /^www\.recaptcha\.net$/u, path: /^\/recaptcha\//u },
  { provider: 'google', host: /^accounts\.google\.com$/u, path: /^\/gsi\/client/u },
  { provider: 'google', host: /^www\.googletagmanager\.com$/u, path: /^\/(?:gtag\/js|gtm\.js)/u },
  { provider: 'google', host: /^(?:www|ssl)\.google-analytics\.com$/u, path: /^\/(?:analytics|ga|urchin)\.js/u },
  { provider: 'google', host: /^securepubads\.g\.doubleclick\.net$/u, path: /^\/tag\/js\/gpt\.js/u },
  { provider: 'meta', host: /^connect\.facebook\.net$/u, path: /\/(?:sdk|all|fbevents)\.js$/u },
  { provider: 'microsoft', host: /^www\.clarity\.ms$/u, path: /^\/tag\//u },
  { provider: 'linkedin', host: /^snap\.licdn\.com$/u, path: /\/insight\.min\.js$/u },
  { provider: 'stripe', host: /^js\.stripe\.com$/u, path: /^\/v\d\/?$/u },
  { provider: 'paypal', host: /^www\.paypal\.com$/u, path: /^\/sdk\/js/u },
  { provider: 'cloudflare', host: /^challenges\.cloudflare\.com$/u, path: /^\/turnstile\/v0\/api\.js/u },
  { provider: 'cloudflare', host: /^static\.cloudflareinsights\.com$/u, path: /^\/beacon\.min\.js/u },
  { provider: 'hcaptcha', host: /^(?:js\.)?hcaptcha\.com$/u, path: /^\/1\/api\.js/u },
  { provider: 'hotjar', host: /^static\.hotjar\.com$/u, path: /^\/c\/hotjar-/u },
]

/** The provider of a script that no version can be named of. */
export function movingProviderOf(host: string, path: string): string | undefined {
  return MOVING_SERVICES.find((one) => one.host.test(host) && one.path.test(path))?.provider
}
