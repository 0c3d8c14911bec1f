/** Elements that have no content in HTML either. */
const VOID_ELEMENTS = new Set(
	"area base br col embed hr img input link meta param source track wbr".split(" "),
);

/** XHTML as a parser of HTML understands it: there `<title/>` would begin a title that never ends. */
export const toHtml = (xhtml: string): string =>
	xhtml.replace(/<([a-z][\w:-]*)((?:\s[^<>]*)?)\/>/giu, (tag: string, name: string, attributes: string) =>
		VOID_ELEMENTS.has(name.toLowerCase()) ? tag : `<${name}${attributes}></${name}>`,
	);
