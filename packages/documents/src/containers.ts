// Parts of documents by which sources find documents: links, lists of addresses, archives.
export { decodeHtml } from "./decode";
export { decodeXml } from "./xml/decode-xml";
export { createXmlReader, type XmlHandler } from "./xml/read-xml";
export type { XmlElement } from "./xml/xml-element";
export { openZip, type ZipContainer } from "./zip/open-zip";
