import { isIP } from "node:net";
import type { LookupAll } from "../checked-connector";

/** What names lead to: each list is the answer to one question, and the last one to all later ones. */
export type TestNames = Readonly<Record<string, readonly (readonly string[])[]>>;

/** A lookup of names that only a test knows, and which of them were asked for. */
export function createTestLookup(names: TestNames): {
	readonly lookup: LookupAll;
	readonly lookups: string[];
} {
	const lookups: string[] = [];
	const lookup: LookupAll = (hostname, _, callback) => {
		const name = hostname.toLowerCase().replace(/\.$/, "");
		const responses = names[name] ?? [];
		const addresses = responses[Math.min(lookups.filter((one) => one === name).length, responses.length - 1)];
		lookups.push(name);
		setImmediate(() => {
			if (addresses === undefined)
				callback(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }), []);
			else
				callback(
					null,
					addresses.map((address) => ({ address, family: isIP(address) })),
				);
		});
	};
	return { lookup, lookups };
}
