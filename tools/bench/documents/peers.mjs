import { DocxLoader } from "@langchain/community/document_loaders/fs/docx";
import { PDFLoader } from "@langchain/community/document_loaders/fs/pdf";
import { parseOffice } from "officeparser";
import { PDFParse } from "pdf-parse";

const toBlob = (bytes) => new Blob([bytes]);
const toTexts = (documents) => documents.map(({ pageContent }) => pageContent).join("\n");

/** Readers of others: bytes to text. They throw for what they cannot read. */
export const PEERS = [
	{
		name: "pdf-parse",
		extensions: ["pdf"],
		async read(bytes) {
			// It takes the memory that it is given.
			const parser = new PDFParse({ data: new Uint8Array(bytes) });
			try {
				return (await parser.getText()).text;
			} finally {
				await parser.destroy();
			}
		},
	},
	{
		name: "LangChain PDFLoader",
		extensions: ["pdf"],
		read: async (bytes) => toTexts(await new PDFLoader(toBlob(bytes)).load()),
	},
	{
		name: "LangChain DocxLoader",
		extensions: ["docx"],
		read: async (bytes) => toTexts(await new DocxLoader(toBlob(bytes)).load()),
	},
	{
		name: "officeparser",
		extensions: ["docx", "pptx", "xlsx", "odt", "pdf", "rtf"],
		read: async (bytes) => (await (await parseOffice(Buffer.from(bytes))).to("text")).value,
	},
];
