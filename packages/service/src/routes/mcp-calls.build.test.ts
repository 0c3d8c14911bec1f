import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import * as built from "@stemma/service";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ERAS, type McpRequest } from "../mcp/test-support/mcp-requests";
import { type McpStage, startMcpStage } from "../mcp/test-support/mcp-stage";
import { SHARED_WORD } from "../test-support/tenant";

let stage: McpStage;
const log: Record<string, unknown>[] = [];
const logger = pino({ level: "debug" }, { write: (line: string) => void log.push(JSON.parse(line)) });

beforeAll(async () => {
	stage = await startMcpStage(built, {}, { logger });
});
afterAll(() => stage?.close());

const question = `When does the ${SHARED_WORD} open?`;
const ask: Pick<McpRequest, "method" | "params"> = {
	method: "tools/call",
	params: { name: "ask", arguments: { question } },
};

/** Asks a vendor that says nothing, and waits until it has been asked. */
async function askInVain(
	request: Partial<McpRequest>,
): Promise<{ readonly asked: number; readonly answer: Promise<unknown> }> {
	const asked = stage.vendor.requests.length;
	const last = () => stage.vendor.requests.at(-1);
	stage.vendor.enqueue({ kind: "reply", text: "It opens at nine", fault: { kind: "stall", after: 2 } });
	const answer = stage.send({ ...ask, ...request }).catch((error: unknown) => error);
	await expect
		.poll(
			() => stage.vendor.requests.length > asked && JSON.stringify(last()?.body).includes("Set the number"),
		)
		.toBe(true);
	return { asked: stage.vendor.requests.length - 1, answer };
}

const isGivenUp = (asked: number) => () => stage.vendor.requests[asked]?.isAborted;

describe("a call", () => {
	it.each(
		ERAS.flatMap((era) => [
			{ era, how: "an answer at once", _meta: {} },
			{ era, how: "progress", _meta: { progressToken: 1 } },
		]),
	)("of $era that waits for $how ends when its client leaves", async ({ era, _meta }) => {
		const gone = new AbortController();
		const { asked } = await askInVain({ era, params: { ...ask.params, _meta }, signal: gone.signal });
		expect(isGivenUp(asked)()).toBe(false);
		gone.abort();
		await expect.poll(isGivenUp(asked)).toBe(true);
	});

	it("of 2025-11-25 ends when its client gives it up, and no other client's does", async () => {
		const start = async () => {
			const params = {
				protocolVersion: "2025-11-25",
				capabilities: {},
				clientInfo: { name: "a", version: "1" },
			};
			const { headers } = await stage.send({ method: "initialize", params });
			return { "mcp-session-id": headers.get("mcp-session-id") ?? "" };
		};
		const [mine, others] = [await start(), await start()];
		const { asked, answer } = await askInVain({ id: 7, headers: mine });
		const giveUp = (headers: Record<string, string>, requestId: number) =>
			stage.send({ method: "notifications/cancelled", params: { requestId }, headers });
		for (const headers of [others, {}]) await giveUp(headers, 7);
		await giveUp(mine, 8);
		const theirs = { ...mine, authorization: `Bearer ${stage.theirs.token}` };
		expect((await giveUp(theirs, 7)).status).toBe(202);
		// Had one of them ended it, the vendor would know by now.
		await wait(200);
		expect(isGivenUp(asked)()).toBe(false);
		await giveUp(mine, 7);
		await expect.poll(isGivenUp(asked)).toBe(true);
		expect(await answer).toMatchObject({ messages: [{ result: { isError: true } }] });
	});

	it("is in the log with its tool and how it ended, and with nothing that was said", async () => {
		log.length = 0;
		await stage.call("search", { query: `${SHARED_WORD} s3cret` });
		await stage.call("fetch", { id: "doc_s3cret" });
		const calls = log.filter(({ msg }) => msg === "tool call");
		const requests = log.filter(({ msg }) => msg === "request");
		expect(calls).toMatchObject([
			{ tool: "search", outcome: "ok", caller: stage.mine.credentials.client_id, ms: expect.any(Number) },
			{ tool: "fetch", outcome: "text_not_found" },
		]);
		expect(calls.map(({ request_id }) => request_id)).toEqual(requests.map(({ request_id }) => request_id));
		expect(JSON.stringify(log)).not.toMatch(/s3cret|opens at nine/);
	});
});

describe("a service that stops", () => {
	it.each(ERAS)("waits for a call of %s that is under way, then ends it", async (era) => {
		const stopping = await startMcpStage(built);
		const listening = era === "2026-07-28" ? listen(stopping) : Promise.resolve();
		stopping.vendor.enqueue({ kind: "reply", text: "It opens at nine", fault: { kind: "stall", after: 2 } });
		const asked = stopping.vendor.requests.length;
		const answer = stopping.send({ ...ask, era });
		await expect.poll(() => stopping.vendor.requests.length).toBeGreaterThan(asked);
		const startedAt = performance.now();
		const closed = stopping.deployment.service.close(600);
		await Promise.all([answer.catch(() => undefined), listening]);
		expect(performance.now() - startedAt).toBeGreaterThan(500);
		await closed;
		await stopping.close();
	});
});

/** A stream on which nothing is ever told. */
async function listen({ send }: McpStage): Promise<void> {
	const { messages } = await send({
		era: "2026-07-28",
		method: "subscriptions/listen",
		params: { notifications: { toolsListChanged: true } },
	});
	expect(messages[0].method).toBe("notifications/subscriptions/acknowledged");
}

it("the protocol's library is loaded by the first who needs it, and not before", () => {
	const seen = new Set<string>();
	const read = (file: URL): void => {
		if (seen.has(file.href)) return;
		seen.add(file.href);
		const text = readFileSync(fileURLToPath(file), "utf8");
		expect(text).not.toMatch(/(?:from|import) ?"@modelcontextprotocol/);
		for (const [, path = ""] of text.matchAll(/(?:from|import) ?"(\.\/[^"]+)"/g)) read(new URL(path, file));
	};
	read(new URL(import.meta.resolve("@stemma/service")));
	expect(seen.size).toBeGreaterThan(1);
});
