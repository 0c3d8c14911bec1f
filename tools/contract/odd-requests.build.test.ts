import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Expected, ODD_CASES } from "./odd-requests/cases";
import { type OddResponse, sendOdd } from "./odd-requests/send-odd";
import { type OddServers, startOddServers } from "./odd-requests/server";

let servers: OddServers;
beforeAll(async () => {
	servers = await startOddServers();
});
afterAll(() => servers?.close());

/** What of a response the table names. */
function pick({ statuses, code, param, headers }: OddResponse, expected: Expected): Expected {
	return {
		status: typeof expected.status === "number" ? (statuses[0] ?? 0) : statuses,
		...(code !== undefined && { code }),
		...(expected.param !== undefined && { param: param ?? "" }),
		...(expected.headers !== undefined && {
			headers: Object.fromEntries(Object.keys(expected.headers).map((name) => [name, headers[name] ?? ""])),
		}),
	};
}

/** What both servers have in common in each response. */
const toShape = ({ statuses, code, param, fields, headers }: OddResponse) => ({
	statuses,
	code,
	param,
	fields,
	headers,
});

describe.each(Object.entries(ODD_CASES))(
	"service and runtime say the same to odd requests: %s",
	(_, cases) => {
		it.each(cases)("$name", async ({ bytes, expected, runtime }) => {
			const [ofService, ofRuntime] = await Promise.all(
				[servers.service, servers.runtime].map((server) => sendOdd(server.port, Buffer.from(bytes(server)))),
			);
			if (ofService === undefined || ofRuntime === undefined) throw new Error("Both were asked.");
			expect(pick(ofService, expected)).toEqual(expected);
			const expectedOfRuntime = runtime?.expected ?? expected;
			expect(pick(ofRuntime, expectedOfRuntime)).toEqual(expectedOfRuntime);
			if (runtime === undefined) expect(toShape(ofRuntime)).toEqual(toShape(ofService));
		});
	},
);
