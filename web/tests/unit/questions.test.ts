import assert from 'node:assert/strict';
import { test } from 'node:test';
import { api } from '../../src/data/api';
import { answer, current, loadQuestion } from '../../src/data/questions';
import { server } from '../../src/data/state';
import type { QuestionAnswer } from '../../src/data/types';

const asked = (n: number) => ({ question: { n, a: { point: n, id: `a${n}` }, b: { point: n + 1, id: `b${n}` }, strategy: '' } }) as unknown as QuestionAnswer;
const turn = () => new Promise((r) => setTimeout(r, 0));

test('A question is not asked for while it is being answered', async () => {
  const original = { question: api.question, answer: api.answer };
  try {
    server.value = { kind: 'rows', name: 'n', session: 's', rows: 9 } as unknown as typeof server.value;
    let questions = 0, reply: (r: unknown) => void = () => {};
    api.question = (async () => asked(++questions)) as typeof api.question;
    api.answer = (() => new Promise((r) => (reply = r))) as unknown as typeof api.answer;
    await loadQuestion();
    assert.equal(current.value?.question?.n, 1);
    const answering = answer('same');
    await loadQuestion(); // a new fit was announced
    await turn();
    assert.equal(questions, 1, 'the server still has the question that is being answered');
    reply({ event: 1, next: { preparing: true } });
    await answering;
    await turn();
    assert.equal(current.value?.question?.n, 2, 'asked for after the answer');
  } finally {
    Object.assign(api, original);
  }
});
