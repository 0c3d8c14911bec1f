const ABSOLUTE_PATH = /^(?:file:|[\\/]|[a-z]:[\\/])/i;

/**
 * The source of a document as the pages of a client key see it: of a path from the root of a machine the name of the file,
 * and of an address no user name, password or query, which may be a signature. Other sources stay as they are.
 */
export function toPublicSource(source: string): string {
	if (ABSOLUTE_PATH.test(source)) return source.split(/[\\/]/).at(-1) ?? "";
	if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(source) || !URL.canParse(source)) return source;
	const url = new URL(source);
	if (url.username === "" && url.password === "" && !SIGNATURE.test(url.search)) return source;
	url.username = "";
	url.password = "";
	if (SIGNATURE.test(url.search)) url.search = "";
	return url.href;
}

/** Parameters that sign an address or carry a credential. */
const SIGNATURE = /[?&][^=&]*(?:signature|sig|token|key|credential|password|secret)=/i;
