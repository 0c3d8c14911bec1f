/** Prefix of each namespace in the names that readers see, whatever prefix the file has for it. */
const PREFIXES: Readonly<Record<string, readonly string[]>> = {
	xml: ["http://www.w3.org/XML/1998/namespace"],
	w: [
		"http://schemas.openxmlformats.org/wordprocessingml/2006/main",
		"http://purl.oclc.org/ooxml/wordprocessingml/main",
	],
	a: ["http://schemas.openxmlformats.org/drawingml/2006/main", "http://purl.oclc.org/ooxml/drawingml/main"],
	dgm: [
		"http://schemas.openxmlformats.org/drawingml/2006/diagram",
		"http://purl.oclc.org/ooxml/drawingml/diagram",
	],
	wp: [
		"http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing",
		"http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing",
	],
	p: [
		"http://schemas.openxmlformats.org/presentationml/2006/main",
		"http://purl.oclc.org/ooxml/presentationml/main",
	],
	x: [
		"http://schemas.openxmlformats.org/spreadsheetml/2006/main",
		"http://purl.oclc.org/ooxml/spreadsheetml/main",
	],
	r: [
		"http://schemas.openxmlformats.org/officeDocument/2006/relationships",
		"http://purl.oclc.org/ooxml/officeDocument/relationships",
	],
	m: [
		"http://schemas.openxmlformats.org/officeDocument/2006/math",
		"http://purl.oclc.org/ooxml/officeDocument/math",
	],
	mc: ["http://schemas.openxmlformats.org/markup-compatibility/2006"],
	rel: ["http://schemas.openxmlformats.org/package/2006/relationships"],
	cp: ["http://schemas.openxmlformats.org/package/2006/metadata/core-properties"],
	dc: ["http://purl.org/dc/elements/1.1/"],
	office: ["urn:oasis:names:tc:opendocument:xmlns:office:1.0"],
	text: ["urn:oasis:names:tc:opendocument:xmlns:text:1.0"],
	table: ["urn:oasis:names:tc:opendocument:xmlns:table:1.0"],
	draw: ["urn:oasis:names:tc:opendocument:xmlns:drawing:1.0"],
	presentation: ["urn:oasis:names:tc:opendocument:xmlns:presentation:1.0"],
	style: ["urn:oasis:names:tc:opendocument:xmlns:style:1.0"],
	number: ["urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0"],
	meta: ["urn:oasis:names:tc:opendocument:xmlns:meta:1.0"],
	manifest: ["urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"],
	svg: ["urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"],
	container: ["urn:oasis:names:tc:opendocument:xmlns:container"],
	opf: ["http://www.idpf.org/2007/opf"],
	ncx: ["http://www.daisy.org/z3986/2005/ncx/"],
};

const PREFIX_BY_NAMESPACE = new Map(
	Object.entries(PREFIXES).flatMap(([prefix, namespaces]) =>
		namespaces.map((namespace) => [namespace, prefix] as const),
	),
);

/** Name with the usual prefix of its namespace: `w:p`, `text:p`. Of a namespace without one, the file's own prefix. */
export function toUsualName({ uri, prefix, local }: { uri: string; prefix: string; local: string }): string {
	const usual = PREFIX_BY_NAMESPACE.get(uri) ?? prefix;
	return usual === "" ? local : `${usual}:${local}`;
}
