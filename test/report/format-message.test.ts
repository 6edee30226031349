import { expect, test } from 'vitest'
import { formatMessage } from '../../core/report/notices.ts'

test.each([
  ['Les versions de {name} changent.', 'express', 'Les versions d’express changent.'],
  ['Les versions de {name} changent.', 'semver', 'Les versions de semver changent.'],
  ['Une valeur issue de {name} sert de clé.', 'useParams()', 'Une valeur issue de useParams() sert de clé.'],
  ['De {name} vient le code.', 'app/Main.js', 'D’app/Main.js vient le code.'],
  ['Un élément que {name} définit.', 'Orders.approve', 'Un élément qu’Orders.approve définit.'],
  ['Lorsque {name} répond, rien ne change.', 'OData', 'Lorsqu’OData répond, rien ne change.'],
  ['Chaque {name} de "{name}" compte.', 'objet', 'Chaque objet de "objet" compte.'],
])('puts a French word in its short form before a vowel: %s (%s)', (words, name, text) => {
  expect(formatMessage(words, { name })).toBe(text)
})

test('leaves a placeholder without a value as it is', () => {
  expect(formatMessage('Le nom de {other}.', { name: 'a' })).toBe('Le nom de {other}.')
})

test.each([
  ['GET', 'GET is open.', 'GET est ouvert.'],
  ['GET, POST', 'GET and POST is open.', 'GET ni POST est ouvert.'],
  ['GET, POST, PUT', 'GET, POST and PUT is open.', 'GET, POST ni PUT est ouvert.'],
  ['GET, POST, …', 'GET, POST, … is open.', 'GET, POST, … est ouvert.'],
  ['GET, POST, … (7)', 'GET, POST, … (7) is open.', 'GET, POST, … (7) est ouvert.'],
])('joins the last name of a list: %s', (names, en, fr) => {
  expect(formatMessage('{names:and} is open.', { names })).toBe(en)
  expect(formatMessage('{names:ni} est ouvert.', { names })).toBe(fr)
})
