const LOOPBACK = /^((.+\.)?localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

/** True for `localhost`, `127.…` and `[::1]`, with a port or without. */
export const isLoopbackHost = (host: string): boolean => isLoopbackUrl(`http://${host}`);

/** True for an origin or URL of this machine. */
export function isLoopbackUrl(url: string): boolean {
	try {
		const { protocol, hostname, username, pathname } = new URL(url);
		return /^https?:$/.test(protocol) && username === "" && pathname === "/" && LOOPBACK.test(hostname);
	} catch {
		return false;
	}
}

/** True for an address that a server binds to and only this machine reaches; IPv6 without brackets. */
export const isLoopbackAddress = (host: string): boolean =>
	isLoopbackHost(host.includes(":") ? `[${host}]` : host);
