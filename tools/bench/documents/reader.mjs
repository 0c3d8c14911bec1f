import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { deserialize } from "node:v8";

const dist = resolve(import.meta.dirname, "../../../packages/service/dist");

const decode = ({ bytes }) => deserialize(bytes);

/** One of the service's own reading processes: `read({name, bytes})` gives the document, or throws its error. */
export async function startReader() {
	const script = resolve(dist, "document-reader.js");
	if (!existsSync(script)) throw new Error("There is no document-reader.js. Is the service built?");
	const { createDocumentReaders } = await import(script);
	const readers = createDocumentReaders({ quickProcesses: 1 });
	return {
		async read({ name, bytes, format }) {
			const upload = { bytes, format, fileName: name, source: name };
			return readers.read("bench", upload).then(
				(content) => ({ content: { ...content, passages: content.passages.flatMap(decode) } }),
				({ error }) => ({ error }),
			);
		},
		stop: () => readers.stop(),
	};
}
