import { expect, it } from "vitest";
import { describeNoAnswer } from "./describe-no-answer";

it.each([
	["What is the rent of the castle?", "The documents hold nothing that answers this question."],
	["Wie hoch ist die Miete?", "In den Dokumenten steht nichts, was diese Frage beantwortet."],
	["Combien coûte le château ?", "Rien dans les documents ne répond à cette question."],
	["¿Cuánto cuesta el castillo?", "En los documentos no hay nada que responda a esta pregunta."],
	["Kale ne zaman açılıyor?", "Belgelerde bu soruyu yanıtlayan bir şey yok."],
	["Сколько стоит замок?", "В документах нет ответа на этот вопрос."],
	["كم سعر القلعة؟", "لا يوجد في المستندات ما يجيب عن هذا السؤال."],
	["城堡的租金是多少？", "文档中没有能回答这个问题的内容。"],
	["城の家賃はいくらですか。", "文書には、この質問に答える内容がありません。"],
	["성의 임대료는 얼마입니까?", "The documents hold nothing that answers this question."],
	["Was kostet der Eintritt?", "In den Dokumenten steht nichts, was diese Frage beantwortet."],
	["I'd like her salary", "The documents hold nothing that answers this question."],
	["var keyword", "The documents hold nothing that answers this question."],
	["rent castle", "The documents hold nothing that answers this question."],
	["42?", "The documents hold nothing that answers this question."],
])("says in the language of the question that nothing answers it: %s", (question, text) => {
	expect(describeNoAnswer(question, [])).toBe(text);
});
