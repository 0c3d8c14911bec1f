import { describe, expect, it } from "vitest";
import { connect, type MethodHandler, rpc, type Script, serveMcp, stream } from "./test-support/mcp-server";

const ERAS = ["legacy", "modern"] as const;

const toResult = (era: Script["era"], id: unknown): object =>
	rpc({ id, result: { content: [], ...(era === "modern" && { resultType: "complete" }) } });

describe.each(ERAS)("an answer whose end comes after its response (%s)", (era) => {
	it("is read to that end", async () => {
		const isComplete: boolean[] = [];
		const answer: MethodHandler = ({ id }, response) => {
			response.on("close", () => isComplete.push(response.writableFinished));
			stream(response, toResult(era, id));
			setTimeout(() => response.end(), 10);
		};
		const client = connect(await serveMcp({ era, handlers: { "tools/call": answer } }));
		for (let call = 0; call < 3; call++) await client.callTool("add");
		await expect.poll(() => isComplete).toEqual([true, true, true]);
	});

	it("is left soon, where that does not come", async () => {
		let wasClosed = false;
		const answer: MethodHandler = ({ id }, response) => {
			response.on("close", () => {
				wasClosed = true;
			});
			stream(response, toResult(era, id));
		};
		const client = connect(await serveMcp({ era, handlers: { "tools/call": answer } }));
		const startedAt = process.threadCpuUsage();
		expect(await client.callTool("add")).toMatchObject({ status: "complete" });
		expect(process.threadCpuUsage(startedAt).user).toBeLessThan(2_000_000);
		await expect.poll(() => wasClosed).toBe(true);
	});
});
