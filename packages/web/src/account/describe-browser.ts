/** Names of browsers as they are in `User-Agent`; others call themselves Chrome or Safari besides. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
	[/\bEdgA?\//, "Edge"],
	[/\bOPR\//, "Opera"],
	[/\bFirefox\/|\bFxiOS\//, "Firefox"],
	[/\bChrome\/|\bCriOS\/|\bHeadlessChrome\//, "Chrome"],
	[/\bSafari\//, "Safari"],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
	[/\bAndroid\b/, "Android"],
	[/\biPhone\b|\biPad\b/, "iOS"],
	[/\bWindows\b/, "Windows"],
	[/\bMac OS X\b/, "macOS"],
	[/\bLinux\b/, "Linux"],
];

/** Describes a browser in a few words, such as `Firefox, Linux`; `undefined` where it says nothing of itself. */
export function describeBrowser(userAgent: string | null): string | undefined {
	if (userAgent === null || userAgent === "") return undefined;
	const names = [BROWSERS, SYSTEMS].flatMap((list) => {
		const [, name] = list.find(([pattern]) => pattern.test(userAgent)) ?? [];
		return name ?? [];
	});
	return names.length === 0 ? userAgent : names.join(", ");
}
