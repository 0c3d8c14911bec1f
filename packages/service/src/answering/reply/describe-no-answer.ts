import type { FoundPassage } from "@stemma/client";
import { toQuoteText } from "@stemma/core/internal";
import { findQuestionLanguage } from "./answer-language";

interface Wording {
	readonly noAnswer: string;
	/** @param title - of the document of the closest passage, in quotation marks. */
	readonly closest: (title: string) => string;
}

const ENGLISH: Wording = {
	noAnswer: "The documents hold nothing that answers this question.",
	closest: (title) => `The closest passage, of ${title}:`,
};

/** Wordings by the language of the question; any other gets the English one. */
const WORDINGS: Readonly<Record<string, Wording>> = {
	german: {
		noAnswer: "In den Dokumenten steht nichts, was diese Frage beantwortet.",
		closest: (title) => `Am nächsten kommt diese Stelle aus ${title}:`,
	},
	french: {
		noAnswer: "Rien dans les documents ne répond à cette question.",
		closest: (title) => `Le passage le plus proche, tiré de ${title} :`,
	},
	spanish: {
		noAnswer: "En los documentos no hay nada que responda a esta pregunta.",
		closest: (title) => `El pasaje más cercano, de ${title}:`,
	},
	italian: {
		noAnswer: "Nei documenti non c'è nulla che risponda a questa domanda.",
		closest: (title) => `Il passaggio più vicino, da ${title}:`,
	},
	portuguese: {
		noAnswer: "Nos documentos não há nada que responda a esta pergunta.",
		closest: (title) => `A passagem mais próxima, de ${title}:`,
	},
	russian: {
		noAnswer: "В документах нет ответа на этот вопрос.",
		closest: (title) => `Ближайший фрагмент, из ${title}:`,
	},
	turkish: {
		noAnswer: "Belgelerde bu soruyu yanıtlayan bir şey yok.",
		closest: (title) => `En yakın bölüm, ${title} belgesinden:`,
	},
	arabic: {
		noAnswer: "لا يوجد في المستندات ما يجيب عن هذا السؤال.",
		closest: (title) => `أقرب مقطع، من ${title}:`,
	},
	chinese: {
		noAnswer: "文档中没有能回答这个问题的内容。",
		closest: (title) => `最接近的段落，来自${title}：`,
	},
	japanese: {
		noAnswer: "文書には、この質問に答える内容がありません。",
		closest: (title) => `最も近い箇所（${title}）：`,
	},
};

/**
 * The text of an answer where nothing that was found answers, in the language of the question: says so, and shows the
 * closest passage as such.
 */
export function describeNoAnswer(question: string, [closest]: readonly FoundPassage[]): string {
	const { noAnswer, closest: describe } = WORDINGS[findQuestionLanguage(question) ?? ""] ?? ENGLISH;
	if (closest === undefined) return noAnswer;
	return `${noAnswer}\n${describe(`"${toQuoteText(closest.title)}"`)} ${toQuoteText(closest.text)}`;
}
