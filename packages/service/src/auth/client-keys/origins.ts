const ORIGIN = /^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s*]+$/;

/**
 * True for a text that browsers send as `Origin`: scheme, host, and the port where it is not the scheme's usual one.
 * Apps have schemes of their own, such as `capacitor://localhost`.
 */
export function isExactOrigin(text: string): boolean {
	if (text.length > 300 || !ORIGIN.test(text) || !URL.canParse(text)) return false;
	const { protocol, origin } = new URL(text);
	// Of schemes that it does not know, the parser gives no origin.
	return protocol === "http:" || protocol === "https:" ? origin === text : true;
}

/** The origins that pages of a service itself have: by address and, on this machine, by name. */
export function listOwnOrigins({ host, port }: { readonly host: string; readonly port: number }): string[] {
	if (port === 0) return [];
	const isLocal = ["127.0.0.1", "::1", "localhost", "0.0.0.0", "::"].includes(host);
	const hosts = isLocal ? ["127.0.0.1", "localhost"] : [host.includes(":") ? `[${host}]` : host];
	return hosts.map((name) => new URL(`http://${name}:${port}`).origin);
}
