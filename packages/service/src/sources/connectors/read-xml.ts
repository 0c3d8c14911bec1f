import { setImmediate } from "node:timers/promises";
import { createXmlReader, decodeXml, type XmlHandler } from "@stemma/documents/containers";

const MAX_SERVER_XML_DEPTH = 10;

/**
 * Reads an XML document of a server in pieces, between which other work of the process has its turn.
 *
 * @throws where it is not well-formed, or declares entities.
 */
export async function readXml(bytes: Uint8Array, handler: XmlHandler): Promise<void> {
	const reader = createXmlReader(handler, { maxDepth: MAX_SERVER_XML_DEPTH });
	for (const chunk of decodeXml(bytes)) {
		reader.write(chunk);
		await setImmediate();
	}
	reader.close();
}
