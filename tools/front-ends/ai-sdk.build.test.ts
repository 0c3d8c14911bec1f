import { beforeAll, describe, expect, it } from "vitest";
import {
	type Chat,
	type ChatOptions,
	type ChatProgram,
	loadChatProgram,
	partsOf,
	textOf,
} from "./clients/ai-sdk-chat";
import { type Target, withHeader } from "./fixture";
import { readGuideRoute } from "./guide-route";
import { isInstalled, useServers } from "./use-servers";

// biome-ignore lint/correctness/useHookAtTopLevel: not a hook of React
const servers = useServers();
const { enqueue, listCalls } = servers;
let program: ChatProgram;
let chats = 0;
beforeAll(async () => {
	if (isInstalled) program = await loadChatProgram();
});

describe.skipIf(!isInstalled).each(["service", "runtime"] as const)(
	"useChat's chat, against the %s",
	(name) => {
		const open = (agent: string, options: Partial<ChatOptions> = {}): Chat => {
			const { toUrl, fetch } = servers.fixture.targets[name];
			return program.openChat({ api: toUrl(agent, "ui"), fetch, id: `chat-${chats++}`, ...options });
		};

		it("gets a plain answer, and sends what was said before", async () => {
			enqueue({ kind: "reply", text: "Good morning." }, { kind: "reply", text: "As I said." });
			const chat = open("plain");
			await chat.send("Good morning?");
			expect(chat.error).toBeUndefined();
			await chat.send("Again?");
			expect(chat.status).toBe("ready");
			expect(chat.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
			expect(chat.messages.map(textOf)).toEqual(["Good morning?", "Good morning.", "Again?", "As I said."]);
			expect(chat.messages.at(-1)?.metadata).toMatchObject({ status: "completed" });
			expect(partsOf(chat.messages.at(-1), "data-receipt")).toHaveLength(1);
			const { messages = [] } = (servers.fixture.service.vendor.requests.at(-1)?.body ?? {}) as {
				messages?: readonly { readonly content: unknown }[];
			};
			expect(messages.map(({ content }) => content)).toEqual(["Good morning?", "Good morning.", "Again?"]);
		});

		it("gets the sources of an answer", async () => {
			enqueue({ kind: "reply", text: "It takes five working days [1]." });
			const chat = open("cited");
			await chat.send("How long does a refund take?");
			expect(chat.error).toBeUndefined();
			expect(textOf(chat.messages[1])).toBe("It takes five working days [1].");
			expect(partsOf(chat.messages[1], "source-document")).toMatchObject([
				{ sourceId: "1", title: "Returns", providerMetadata: { stemma: { n: 1 } } },
			]);
		});

		it.each([
			[true, "output-available"],
			[false, "output-denied"],
		])("decides on an approval: %s", async (approved, state) => {
			enqueue(
				{
					kind: "reply",
					text: "Let me see.",
					toolCalls: [{ id: "c", name: "refund", arguments: { order: 7 } }],
				},
				{ kind: "reply", text: "That is that." },
			);
			const chat = open("desk");
			await chat.send("Refund 7.");
			const [call] = partsOf(chat.messages[1], "dynamic-tool");
			expect(call).toMatchObject({ toolName: "refund", state: "approval-requested", input: { order: 7 } });
			expect(textOf(chat.messages[1])).toBe("");
			expect(listCalls()).toEqual([]);
			await chat.approve(call?.approval?.id ?? "", approved);
			await expect
				.poll(() => [chat.status, chat.error, textOf(chat.messages[1])])
				.toEqual(["ready", undefined, "That is that."]);
			expect(listCalls()).toEqual(approved ? [{ order: 7 }] : []);
			expect(chat.messages).toHaveLength(2);
			expect(partsOf(chat.messages[1], "dynamic-tool")).toMatchObject([{ toolName: "refund", state }]);
			// A page that is loaded now gets the same message from its beginning.
			const reloaded = open("desk", { id: `chat-${chats - 1}`, messages: chat.messages.slice(0, 1) });
			await reloaded.resume();
			expect(reloaded.messages).toEqual(chat.messages);
		});

		it("resumes after a reload in the middle, with nothing lost or doubled", async () => {
			const text = Array.from({ length: 60 }, (_, n) => `word-${n}`).join(" ");
			enqueue({ kind: "reply", text, pauseMs: 20 });
			const chat = open("plain");
			const sent = chat.send("Count.");
			await expect.poll(() => textOf(chat.messages[1]).length).toBeGreaterThan(10);
			const messages = chat.messages;
			await chat.stop();
			await sent;
			const id = `chat-${chats - 1}`;
			const reloaded = open("plain", { id, messages });
			await reloaded.resume();
			expect(reloaded.messages.map(textOf)).toEqual(["Count.", text]);
			const other = open("plain");
			await other.resume();
			expect([other.messages, other.status, other.error]).toEqual([[], "ready", undefined]);
		});

		it("regenerates an answer", async () => {
			enqueue({ kind: "reply", text: "One." }, { kind: "reply", text: "Two." });
			const chat = open("plain");
			await chat.send("A number?");
			await chat.regenerate();
			expect(chat.messages.map(textOf)).toEqual(["A number?", "Two."]);
		});

		it("says what is wrong with a request", async () => {
			const chat = open("plain");
			await chat.sendParts([{ type: "file", mediaType: "image/png", url: "data:image/png;base64,AAAA" }]);
			expect(JSON.parse(chat.error ?? "")).toMatchObject({
				error: { code: "invalid_request", param: "messages[0].parts[0]" },
			});
			const unknown = open("nobody");
			await unknown.send("Hello?");
			expect(JSON.parse(unknown.error ?? "")).toMatchObject({ error: { code: "agent_not_found" } });
		});

		it("is read by readUIMessageStream", async () => {
			enqueue({ kind: "reply", reasoning: "Hm.", text: "Yes." });
			const { toUrl, fetch } = servers.fixture.targets[name];
			const response = await fetch(toUrl("plain", "ui"), {
				method: "POST",
				headers: { "content-type": "application/json" },
				body: JSON.stringify({
					id: "c",
					messages: [{ role: "user", parts: [{ type: "text", text: "Well?" }] }],
				}),
			});
			expect(response.headers.get("x-vercel-ai-ui-message-stream")).toBe("v1");
			const { message, errors } = await program.readMessage(response);
			expect(errors).toEqual([]);
			expect(textOf(message)).toBe("Yes.");
			expect(partsOf(message, "reasoning").map(({ text }) => text)).toEqual(["Hm."]);
		});
	},
);

describe.skipIf(!isInstalled)("useChat's chat, against the route of docs/front-ends.md", () => {
	it("gets answers, and decides on approvals", async () => {
		const route = readGuideRoute(servers.fixture, "ai-sdk", "desk");
		const chat = program.openChat({
			api: "http://app.test/api/chat",
			fetch: (url, init) => route(new Request(url, init)),
		});
		enqueue(
			{ kind: "reply", toolCalls: [{ id: "c", name: "refund", arguments: { order: 7 } }] },
			{ kind: "reply", text: "That is that." },
		);
		await chat.send("Refund 7.");
		const [call] = partsOf(chat.messages[1], "dynamic-tool");
		await chat.approve(call?.approval?.id ?? "", true);
		await expect
			.poll(() => [chat.status, chat.error, textOf(chat.messages[1])])
			.toEqual(["ready", undefined, "That is that."]);
		expect(partsOf(chat.messages[1], "dynamic-tool")).toMatchObject([{ state: "output-available" }]);
		expect(listCalls()).toEqual([{ order: 7 }]);
	});
});

describe.skipIf(!isInstalled)("useChat's chat with a client key", () => {
	const visitor = "0123456789abcdef0123456789abcdef";
	const openWithKey = async (secret: string | undefined, options: Partial<ChatOptions> = {}) => {
		const { toUrl } = servers.fixture.targets.service;
		const key = await servers.fixture.service.makeKey();
		const { service } = servers.fixture.service.deployment;
		const plain: Target["fetch"] = (url, init) => service.fetch(new Request(url, init));
		const toFetch = (visitorSecret: string | undefined): Target["fetch"] => {
			const fetch = withHeader(plain, "authorization", `Bearer ${key}`);
			return visitorSecret === undefined ? fetch : withHeader(fetch, "stemma-visitor", visitorSecret);
		};
		const openAs = (visitorSecret: string | undefined, agent = "plain") =>
			program.openChat({ api: toUrl(agent, "ui"), fetch: toFetch(visitorSecret), id: "mine", ...options });
		return { chat: openAs(secret), openAs };
	};

	it("gets the answer alone, and resumes it for the same visitor only", async () => {
		enqueue({ kind: "reply", reasoning: "Secret.", text: "Hello." });
		const { chat, openAs } = await openWithKey(visitor);
		await chat.send("Hello?");
		expect(textOf(chat.messages[1])).toBe("Hello.");
		expect(chat.messages[1]?.parts.map(({ type }) => type)).toEqual(["step-start", "text"]);
		expect(chat.messages[1]?.metadata?.run_token).toMatch(/^rt_/);
		const own = openAs(visitor);
		await own.resume();
		expect(own.messages).toEqual(chat.messages.slice(1));
		for (const secret of ["fedcba9876543210fedcba9876543210", undefined]) {
			const other = openAs(secret);
			await other.resume();
			expect([other.messages, other.error]).toEqual([[], undefined]);
		}
	});

	it("cannot decide on an approval, and is not shown it", async () => {
		enqueue({
			kind: "reply",
			toolCalls: [{ id: "c", name: "refund", arguments: { order: 7 } }],
		});
		const { openAs } = await openWithKey(visitor);
		const chat = openAs(visitor, "desk");
		await chat.send("Refund 7.");
		expect(partsOf(chat.messages[1], "dynamic-tool")).toEqual([]);
		expect(chat.messages[1]?.metadata).toMatchObject({ status: "paused" });
		expect(listCalls()).toEqual([]);
	});
});
