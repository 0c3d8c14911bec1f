import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type { ChatEvent, ChatModel } from "@stemma/core";
import type { LocalPorts } from "@stemma/local";
import { afterEach, expect, it, vi } from "vitest";
import { type RunningRuntime, startRuntime } from "../start-runtime";
import { graph, scriptedPorts } from "../test-support/scripted";

let runtime: RunningRuntime;
const sockets: Socket[] = [];
afterEach(async () => {
	vi.useRealTimers();
	for (const socket of sockets.splice(0)) socket.destroy();
	await runtime.close(0);
});

/** A stream of a run, byte by byte. */
async function openStream(ports: LocalPorts) {
	runtime = await startRuntime({ agents: { desk: graph }, ports, port: 0, log: () => undefined });
	const socket = connect(runtime.port, "127.0.0.1");
	sockets.push(socket);
	const seen = { text: "" };
	socket.on("data", (chunk) => {
		seen.text += chunk;
	});
	socket.write(
		'POST /run/desk HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: text/event-stream\r\nContent-Length: 14\r\n\r\n{"input":"hi"}',
	);
	return {
		socket,
		seen,
		async until(part: string): Promise<void> {
			while (!seen.text.includes(part)) await once(socket, "data");
		},
	};
}

it("sends a comment after 15 seconds of silence, and another after 15 more", async () => {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] });
	const { seen, until } = await openStream(scriptedPorts(() => new Promise(() => undefined)));
	await until("node.started");
	await vi.advanceTimersByTimeAsync(13_000);
	expect(seen.text).not.toContain("still here");
	await vi.advanceTimersByTimeAsync(4_000);
	await until(": still here\n\n");
	seen.text = "";
	await vi.advanceTimersByTimeAsync(16_000);
	await until(": still here\n\n");
});

it("keeps nothing but the log for a client that does not read, and cuts it off where the log is too short", async () => {
	const part = "x".repeat(10_000);
	let isSent = false;
	const model: ChatModel = {
		provider: "scripted",
		model: "script-1",
		vendorHost: "",
		generate: () => Promise.reject(new Error("not used")),
		async *stream(): AsyncGenerator<ChatEvent> {
			yield { type: "text.delta", text: "Begin." };
			await until("Begin.");
			socket.pause();
			for (let count = 0; count < 4_000; count++) {
				yield { type: "text.delta", text: part };
				if (count % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
			}
			isSent = true;
			yield { type: "finish", reply: { text: "", toolCalls: [], finishReason: "stop" } };
		},
	};
	const ports: LocalPorts = { models: { resolve: () => ({ model, payer: "none", reason: "In the test." }) } };
	const { socket, seen, until } = await openStream(ports);
	await expect.poll(() => isSent).toBe(true);
	socket.resume();
	await until("\r\n0\r\n\r\n");
	expect(seen.text.length).toBeLessThan(30_000_000);
	expect(seen.text).not.toContain("run.completed");
	expect((await fetch(`${runtime.url}/healthz`)).status).toBe(200);
});
