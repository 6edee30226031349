/**
 * Names of what shops, guides and lists of values show to everybody, and words of what they don't. By a name alone: a level may depend on it, whether something is told may not.
 */

/** What catalogues hold, without their endings and accents: English, German, French, Spanish, Portuguese, Italian, Turkish. */
const CATALOGUE: ReadonlySet<string> = new Set(
  [
    // goods and their order
    'product produkt produit producto produto prodott urun artikel article articulo artigo',
    'category categorie categoria kategorie kategori subcategory subcategorie subcategoria unterkategorie souscategorie altkategori',
    'brand marke marque marca marka genre book buch livre libro livro kitap movie film album song lied',
    // food
    'menu dish gericht speise speisekarte plat plato prato piatto yemek recipe rezept recette receta receita tarif ingredient zutat allergen',
    // places, units, languages
    'city stadt stadte ville ciudad cidade citta sehir country land lander pays pais paese ulke region airport flughafen',
    'currency wahrung devise monnaie moneda moeda valuta parabirimi unit einheit unite unidad unidade birim uom',
    'language sprache langue idioma dil timezone holiday feiertag',
    // what is told to everybody
    'faq news nachricht neuigkeit actualite noticia haber event veranstaltung evenement evento etkinlik',
  ].flatMap((row) => row.split(' ')),
)

/** Words that say how it is kept or shown. */
const FORM: ReadonlySet<string> = new Set(
  'list view all main sub alt type group code text vh value help tbl table detail model image'.split(' '),
)

const ENDINGS = /(?:ies|es|s|en|n|e|i|ler|lar|leri|lari)$/

/** `subcategories`, `ProductImages`, `"SHOP"."MARKALAR"`: nothing but words of a catalogue. */
export function isCatalogueName(name: string): boolean {
  const own =
    name
      .replace(/["'`[\]]/g, '')
      .split(/[.:]/)
      .at(-1) ?? ''
  const words = wordsOf(own)
  return words.some((word) => holds(CATALOGUE, word)) && words.every((word) => holds(CATALOGUE, word) || holds(FORM, word))
}

/** Lower case, without accents: `ProductImages`, `PRODUCT_IMAGES`. */
function wordsOf(name: string): readonly string[] {
  const plain = name.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ı', 'i')
  return plain
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '')
}

function holds(words: ReadonlySet<string>, word: string): boolean {
  return words.has(word) || words.has(word.replace(ENDINGS, '')) || words.has(word.replace(/ies$/, 'y'))
}

const PERSONS =
  /customer|kunde|client(?:e|s|_|I)|cliente|user|benutzer|utilisateur|usuario|kullanici|musteri|member|employee|mitarbeiter|empleado|personel|person|patient|student|supplier|vendor|lieferant|owner|created_?by|order(?!\s{0,4}by)|bestellung|commande|pedido|siparis|invoice|rechnung|factur|fatura|account|konto|payment|salary|wishlist|favou?rite|e_?mail|phone|password|token|secret|stock(?!holm)|inventory|cart\b|basket|purchase|margin/i

/** Words of persons, orders, stock and credentials: among columns, conditions and what is joined. */
export function namesPersons(text: string): boolean {
  return PERSONS.test(text)
}
