import { toIndexText } from "@stemma/documents";
import { decodePassages, type EncodedPassages } from "../../../../knowledge/ingest/encoded-passages";
import type { NewPassages } from "../../../sqlite/knowledge/jobs/store-passages-job";
import { type CollectedWords, collectWords } from "./collected-words";
import type { NewPassageWords } from "./segment-words";

/** Passages of a document that follow one another, as the process that has read it encodes them. */
export interface EncodedDocument extends Omit<NewPassages, "passages"> {
	readonly passages: EncodedPassages;
}

/** Collects the words of passages of documents of one knowledge base; `undefined`: some cannot be decoded. */
export async function collectDocumentWords(
	documents: readonly EncodedDocument[],
): Promise<CollectedWords | undefined> {
	let decoded: readonly NewPassages[];
	try {
		decoded = documents.map((document) => ({ ...document, passages: decodePassages(document.passages) }));
	} catch {
		// Who stores them says what is wrong with the document.
		return undefined;
	}
	return collectWords(decoded.flatMap(toNewWords));
}

/** Returns the texts of a document that are indexed. */
export function toNewWords({ first, title, passages }: NewPassages): readonly NewPassageWords[] {
	const titleWords = toIndexText(title);
	return passages.map(({ place, text, indexText = text }, index) => ({
		number: first + index,
		words: { title: titleWords, heading: toIndexText(place.heading ?? ""), text: indexText },
	}));
}
