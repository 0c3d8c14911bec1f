const ADDRESSES_OF_THIS_MACHINE: readonly string[] = ["127.0.0.1", "0.0.0.0", "[::1]", "[::]"];

/**
 * Address at which sessions work, where the page was opened at another one: `localhost` for `127.0.0.1`. The page alone knows
 * it: behind a proxy that rewrites `Host`, the service sees such an address where the browser has another.
 */
export function findPageAddress(address: string): string | undefined {
	const url = new URL(address);
	if (url.protocol !== "http:" || !ADDRESSES_OF_THIS_MACHINE.includes(url.hostname)) return undefined;
	url.hostname = "localhost";
	return url.href;
}
