import { isIP } from "node:net";
import type { LookupAll } from "../checked-connector";

/** What names lead to: each list is the answer to one question, and the last one to all later ones. */
export type TestNames = Readonly<Record<string, readonly (readonly string[])[]>>;

/** A lookup of names that only a test knows, and which of them were asked for. */
export function createTestLookup(names: TestNames): { readonly lookup: LookupAll; readonly asked: string[] } {
	const asked: string[] = [];
	const lookup: LookupAll = (hostname, _, callback) => {
		const name = hostname.toLowerCase().replace(/\.$/, "");
		const answers = names[name] ?? [];
		const answer = answers[Math.min(asked.filter((one) => one === name).length, answers.length - 1)];
		asked.push(name);
		setImmediate(() => {
			if (answer === undefined) callback(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }), []);
			else
				callback(
					null,
					answer.map((address) => ({ address, family: isIP(address) })),
				);
		});
	};
	return { lookup, asked };
}
