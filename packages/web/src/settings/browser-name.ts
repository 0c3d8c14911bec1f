import { visibleText } from "@stemma/client";

/** Browsers by what they call themselves; of several the first counts, as most also name others. */
const BROWSERS = [
	["Edg", "Edge"],
	["OPR", "Opera"],
	["Firefox", "Firefox"],
	["HeadlessChrome", "Chrome"],
	["Chrome", "Chrome"],
	["Version", "Safari"],
] as const;

const SYSTEMS = [
	["Android", "Android"],
	["iPhone", "iPhone"],
	["iPad", "iPad"],
	["Windows", "Windows"],
	["Mac OS X", "macOS"],
	["CrOS", "ChromeOS"],
	["Linux", "Linux"],
] as const;

const MAX_CHARACTERS = 80;

/** Browser, version and system of a `user-agent`, such as `Firefox 140, Linux`; else its beginning as it is. */
export function toBrowserName(userAgent: string | null): string | undefined {
	if (userAgent === null || userAgent.trim() === "") return undefined;
	const system = SYSTEMS.find(([token]) => userAgent.includes(token))?.[1];
	for (const [token, name] of BROWSERS) {
		const version = new RegExp(`${token}/(\\d+)`).exec(userAgent)?.[1];
		if (version !== undefined) return [`${name} ${version}`, system].filter(Boolean).join(", ");
	}
	return visibleText(userAgent.slice(0, MAX_CHARACTERS));
}
