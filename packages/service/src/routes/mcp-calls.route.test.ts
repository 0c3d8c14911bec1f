import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import * as built from "@stemma/service";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type McpFixture, startMcpFixture } from "../mcp/test-support/mcp-fixture";
import { ERAS, type McpRequest } from "../mcp/test-support/mcp-requests";
import { SHARED_WORD } from "../test-support/tenant";

let fixture: McpFixture;
const log: Record<string, unknown>[] = [];
const logger = pino({ level: "debug" }, { write: (line: string) => void log.push(JSON.parse(line)) });

beforeAll(async () => {
	fixture = await startMcpFixture(built, {}, { logger });
});
afterAll(() => fixture?.close());

const question = `When does the ${SHARED_WORD} open?`;
const ask: Pick<McpRequest, "method" | "params"> = {
	method: "tools/call",
	params: { name: "ask", arguments: { question } },
};

/** Asks a vendor that says nothing, and waits until it has been asked. */
async function askAndCancel(
	request: Partial<McpRequest>,
): Promise<{ readonly requestCount: number; readonly answer: Promise<unknown> }> {
	const requestCount = fixture.vendor.requests.length;
	const last = () => fixture.vendor.requests.at(-1);
	fixture.vendor.enqueue({ kind: "reply", text: "It opens at nine", fault: { kind: "stall", after: 2 } });
	const answer = fixture.send({ ...ask, ...request }).catch((error: unknown) => error);
	await expect
		.poll(
			() =>
				fixture.vendor.requests.length > requestCount &&
				JSON.stringify(last()?.body).includes("Set the number"),
		)
		.toBe(true);
	return { requestCount: fixture.vendor.requests.length - 1, answer };
}

const isCancelled = (requestCount: number) => () => fixture.vendor.requests[requestCount]?.isAborted;

describe("a call", () => {
	it.each(
		ERAS.flatMap((era) => [
			{ era, how: "an answer at once", _meta: {} },
			{ era, how: "progress", _meta: { progressToken: 1 } },
		]),
	)("of $era that waits for $how ends when its client leaves", async ({ era, _meta }) => {
		const gone = new AbortController();
		const { requestCount } = await askAndCancel({
			era,
			params: { ...ask.params, _meta },
			signal: gone.signal,
		});
		expect(isCancelled(requestCount)()).toBe(false);
		gone.abort();
		await expect.poll(isCancelled(requestCount)).toBe(true);
	});

	it("of 2025-11-25 ends when its client gives it up, and no other client's does", async () => {
		const start = async () => {
			const params = {
				protocolVersion: "2025-11-25",
				capabilities: {},
				clientInfo: { name: "a", version: "1" },
			};
			const { headers } = await fixture.send({ method: "initialize", params });
			return { "mcp-session-id": headers.get("mcp-session-id") ?? "" };
		};
		const [mine, others] = [await start(), await start()];
		const { requestCount, answer } = await askAndCancel({ id: 7, headers: mine });
		const sendCancelled = (headers: Record<string, string>, requestId: number) =>
			fixture.send({ method: "notifications/cancelled", params: { requestId }, headers });
		for (const headers of [others, {}]) await sendCancelled(headers, 7);
		await sendCancelled(mine, 8);
		const theirs = { ...mine, authorization: `Bearer ${fixture.theirs.token}` };
		expect((await sendCancelled(theirs, 7)).status).toBe(202);
		// Had one of them ended it, the vendor would know by now.
		await wait(200);
		expect(isCancelled(requestCount)()).toBe(false);
		await sendCancelled(mine, 7);
		await expect.poll(isCancelled(requestCount)).toBe(true);
		expect(await answer).toMatchObject({ messages: [{ result: { isError: true } }] });
	});

	it("is in the log with its tool and how it ended, and with nothing that was said", async () => {
		log.length = 0;
		await fixture.call("search", { query: `${SHARED_WORD} s3cret` });
		await fixture.call("fetch", { id: "doc_s3cret" });
		const calls = log.filter(({ msg }) => msg === "tool call");
		const requests = log.filter(({ msg }) => msg === "request");
		expect(calls).toMatchObject([
			{ tool: "search", outcome: "ok", caller: fixture.mine.credentials.client_id, ms: expect.any(Number) },
			{ tool: "fetch", outcome: "text_not_found" },
		]);
		expect(calls.map(({ request_id }) => request_id)).toEqual(requests.map(({ request_id }) => request_id));
		expect(JSON.stringify(log)).not.toMatch(/s3cret|opens at nine/);
	});
});

describe("a service that stops", () => {
	it.each(ERAS)("waits for a call of %s that is under way, then ends it", async (era) => {
		const stopping = await startMcpFixture(built);
		const listening = era === "2026-07-28" ? listen(stopping) : Promise.resolve();
		stopping.vendor.enqueue({ kind: "reply", text: "It opens at nine", fault: { kind: "stall", after: 2 } });
		const requestCount = stopping.vendor.requests.length;
		const answer = stopping.send({ ...ask, era });
		await expect.poll(() => stopping.vendor.requests.length).toBeGreaterThan(requestCount);
		const startedAt = performance.now();
		const closed = stopping.deployment.service.close(600);
		await Promise.all([answer.catch(() => undefined), listening]);
		expect(performance.now() - startedAt).toBeGreaterThan(500);
		await closed;
		await stopping.close();
	});
});

/** A stream on which nothing is ever told. */
async function listen({ send }: McpFixture): Promise<void> {
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
