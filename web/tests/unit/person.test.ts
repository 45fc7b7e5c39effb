// Who answers is kept in a cookie: until the browser ends, or for a year where somebody gave a name.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { personName, rename, startPerson } from '../../src/data/person'

test('only a name that was given outlives the browser', () => {
  const written: string[] = []
  Object.assign(globalThis, { document: { get cookie() { return '' }, set cookie(text: string) { written.push(text) } } })
  startPerson()
  rename('Ada')
  rename('')
  assert.equal(written.length, 3)
  assert.match(written[0], /^inkling-person=~/)
  assert.doesNotMatch(written[0], /max-age|expires/i)
  assert.match(written[1], /^inkling-person=Ada;.*max-age=/)
  assert.doesNotMatch(written[2], /max-age|expires/i)
  assert.equal(personName.value, '')
})
