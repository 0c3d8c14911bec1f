/** `psg_<document>_<n>`: the n-th passage of a document, from 1. */
export const toPassageId = (documentId: string, index: number): string =>
	`psg_${documentId.slice(documentId.indexOf("_") + 1)}_${index + 1}`;

/** The place of a passage in its document, from 0. */
export const toPassageIndex = (passageId: string): number =>
	Number(passageId.slice(passageId.lastIndexOf("_") + 1)) - 1;
