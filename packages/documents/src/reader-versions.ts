import type { DocumentFormatName } from "@stemma/client";

/**
 * Version of the reader of each format. Raise it where documents that are stored gain by being read again, such as text
 * that was missing: a service then reads them again in the background.
 */
export const READER_VERSIONS: Readonly<Record<DocumentFormatName, number>> = {
	markdown: 3,
	text: 1,
	html: 3,
	pdf: 1,
	csv: 1,
	docx: 1,
	pptx: 1,
	odt: 1,
	odp: 1,
	rtf: 1,
	xlsx: 1,
	ods: 1,
	json: 1,
	yaml: 1,
	xml: 1,
	eml: 3,
	msg: 4,
	mhtml: 3,
	epub: 3,
	image: 1,
};
