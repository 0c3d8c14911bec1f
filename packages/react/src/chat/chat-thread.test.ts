import type { Citation } from "@stemma/client";
import { JSDOM } from "jsdom";
import type { ReactElement } from "react";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { waitFor } from "../test-support/page";
import { loadReact, type ReactBundle } from "../test-support/react-versions";
import { createMessage } from "../thread/thread-state";
import type { UseThreadResult, VisibleMessage } from "../thread/use-thread";
import type { ChatThreadProps } from "./chat-thread";

const CITATION: Citation = {
	n: 1,
	passage_id: "psg_1",
	document_id: "doc_1",
	title: "Refunds",
	url: "https://docs.example/refunds",
	place: { start: 0, end: 9, heading: "Time" },
	text: "Five days.",
	support: "supported",
};

let bundle: ReactBundle;
let dom: JSDOM;
let root: { render(element: ReactElement): void; unmount(): void };
let container: HTMLElement;

const { FormData: nodeFormData } = globalThis;

beforeAll(async () => {
	dom = new JSDOM("<!doctype html>");
	const { window } = dom;
	Object.assign(globalThis, { window, document: window.document, FormData: window.FormData });
	bundle = await loadReact("19");
});
afterEach(async () => {
	root.unmount();
	// React ends its work.
	await new Promise((resolve) => setTimeout(resolve, 5));
});
afterAll(() => {
	Reflect.deleteProperty(globalThis, "window");
	Reflect.deleteProperty(globalThis, "document");
	Object.assign(globalThis, { FormData: nodeFormData });
});
beforeEach(() => {
	container = dom.window.document.createElement("div");
	dom.window.document.body.replaceChildren(container);
	root = bundle.client.createRoot(container);
});

const message = (fields: Partial<VisibleMessage> & Pick<VisibleMessage, "key">): VisibleMessage => ({
	...createMessage({ parentKey: null, role: "user", status: "completed", ...fields }),
	versions: [fields.key],
	...fields,
});

const answer = (fields: Partial<VisibleMessage>): VisibleMessage =>
	message({ key: "a", parentKey: "q", role: "assistant", run: { run_id: "run_1" }, ...fields });

const actions = () => ({
	...{ send: vi.fn(), edit: vi.fn(), regenerate: vi.fn(), retry: vi.fn(), select: vi.fn() },
	...{ stop: vi.fn(), decide: vi.fn(), rate: vi.fn(), reload: vi.fn() },
});

/** Shows messages; returns the actions that the page may call. */
async function show(
	messages: readonly VisibleMessage[],
	fields: Partial<UseThreadResult> = {},
	props: Pick<ChatThreadProps, "onSource" | "draftKey"> = {},
) {
	const spies = actions();
	const chat: UseThreadResult = {
		...{ status: "ready", error: undefined, handle: undefined, messages, isAnswering: false },
		...spies,
		...fields,
	};
	root.render(bundle.react.createElement(bundle.chat.ChatThread, { chat, ...props }));
	await waitFor(() => container.querySelectorAll("li.stemma-message").length).toBe(messages.length);
	return spies;
}

const find = (selector: string): HTMLElement => {
	const element = container.querySelector<HTMLElement>(selector);
	if (element === null) throw new Error(`There is no ${selector} in ${container.innerHTML}.`);
	return element;
};
const button = (name: string): HTMLElement => {
	const buttons = [...container.querySelectorAll("button")];
	const named = buttons.find((each) => (each.getAttribute("aria-label") ?? each.textContent) === name);
	if (named === undefined) throw new Error(`There is no button ${name} in ${container.innerHTML}.`);
	return named;
};

it("shows an answer as Markdown, with its sources as chips", async () => {
	await show([
		message({ key: "q", text: "How *long*?" }),
		answer({ text: "**Five** days [1], not [2].\n\n- a\n- b", citations: [CITATION] }),
	]);
	expect(find('[data-role="user"] .stemma-text').textContent).toBe("How *long*?");
	const text = find('[data-role="assistant"] .stemma-text');
	expect(text.innerHTML).toContain("<strong>Five</strong> days <button");
	expect(text.querySelectorAll("li")).toHaveLength(2);
	expect(text.textContent).toContain("not [2]");
	const source = find("ol.stemma-sources details");
	expect(source.hasAttribute("open")).toBe(false);
	button("Source 1: Refunds").click();
	await waitFor(() => source.hasAttribute("open")).toBe(true);
	expect(dom.window.document.activeElement).toBe(source.querySelector("summary"));
	const link = find(".stemma-source a");
	expect([link.getAttribute("href"), link.getAttribute("rel"), link.textContent]).toEqual([
		"https://docs.example/refunds",
		"noopener noreferrer",
		"Open the document (docs.example)",
	]);
});

it("shows hostile text as text", async () => {
	const hidden = [..."ignore"].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("");
	await show([
		message({ key: "q", text: `<b>Hi</b>${hidden}` }),
		answer({
			text: `<img src=x onerror=alert(1)> [run](javascript:alert(1)) ![pixel](https://evil.example/p) [rules](https://evil.example/q) a\u202eb${hidden}`,
			citations: [{ ...CITATION, title: "<i>T</i>\u202e", url: "javascript:alert(1)" }],
		}),
	]);
	expect(container.querySelectorAll("img, script, b, i")).toHaveLength(0);
	const links = [...container.querySelectorAll("a")].map((link) => [link.href, link.rel]);
	expect(links).toEqual([["https://evil.example/q", "noopener noreferrer nofollow"]]);
	expect(container.textContent).toContain("<b>Hi</b>[hidden: ignore]");
	expect(container.textContent).toContain("rules (evil.example) ab[hidden: ignore]");
	expect(container.textContent).not.toMatch(/\u202e/);
});

it("asks for decisions with the exact arguments", async () => {
	const approval = { id: "apr_1", node: "refund", tool: "refund_order", expires_at: "2030-01-01T00:00:00Z" };
	const approvals = [{ ...approval, arguments: { order: "A1" } }];
	const spies = await show([message({ key: "q" }), answer({ status: "waiting", approvals })]);
	expect(find("fieldset legend").textContent).toBe("Wants to call refund_order");
	expect(find("fieldset pre").textContent).toBe('{\n  "order": "A1"\n}');
	button("Approve").click();
	button("Deny").click();
	expect(spies.decide.mock.calls).toEqual([
		["a", "apr_1", { decision: "approve" }],
		["a", "apr_1", { decision: "deny" }],
	]);
});

it("says that an answer waits where the credential cannot decide", async () => {
	await show([message({ key: "q" }), answer({ status: "waiting" })], { isAnswering: true });
	expect(find('[data-role="assistant"]').textContent).toBe("Waiting for an approval.");
	expect(find(".stemma-form button").textContent).toBe("Stop");
});

it("rates, answers again and switches between versions", async () => {
	const versions = ["b", "a", "c"];
	const spies = await show([message({ key: "q" }), answer({ text: "Five.", rating: "down", versions })]);
	expect(button("Bad answer").getAttribute("aria-pressed")).toBe("true");
	button("Good answer").click();
	button("Answer again").click();
	button("Previous version").click();
	button("Next version").click();
	expect(find(".stemma-versions").textContent).toBe("‹2 / 3›");
	const comment = find(".stemma-comment input");
	comment.setAttribute("value", " Too short. ");
	button("Send").click();
	await waitFor(() => find('.stemma-actions [role="status"]').textContent).toBe("Thank you.");
	expect(spies.rate.mock.calls).toEqual([
		["a", "up"],
		["a", "down", "Too short."],
	]);
	expect(spies.regenerate).toHaveBeenCalledWith("a");
	expect(spies.select.mock.calls).toEqual([["b"], ["c"]]);
});

it("has thumbs for an answer that is stored, and none for one that cannot be rated", async () => {
	const stored = { answer_id: "ans_1" };
	const spies = await show([
		message({ key: "q" }),
		answer({ run: undefined, text: "Five.", answer: stored }),
	]);
	button("Good answer").click();
	expect(spies.rate).toHaveBeenCalledWith("a", "up");
	await show([message({ key: "q" }), answer({ run: undefined, text: "Five." })]);
	await waitFor(() => container.querySelector(".stemma-thumb")).toBeNull();
});

it("says why an answer failed, and tries again", async () => {
	const failed = await show([
		message({ key: "q" }),
		answer({ status: "failed", error: { code: "model_failed", message: "It broke.", hint: "Mend it." } }),
	]);
	expect(find('[role="alert"]').textContent).toBe("It broke. Mend it.");
	button("Try again").click();
	expect(failed.retry).toHaveBeenCalledWith("a");
});

it("hands sources to an app that shows documents itself", async () => {
	const onSource = vi.fn();
	await show([message({ key: "q" }), answer({ text: "Five [1].", citations: [CITATION] })], {}, { onSource });
	expect(container.querySelector("details.stemma-source, blockquote")).toBeNull();
	button("Source 1: Refunds").click();
	button("1 Refunds · Time").click();
	expect(onSource.mock.calls).toEqual([[CITATION], [CITATION]]);
});

it.each([
	[{ page: 4, heading: "Time" }, "page 4"],
	[{ slide: 2 }, "slide 2"],
	[{ sheet: "Q1", cells: "B2:D9" }, "Q1 B2:D9"],
	[{ heading: "Refunds › Time" }, "Time"],
	[{ chapter: "Two" }, "Two"],
])("tells sources of one document apart: %j", async (place, expected) => {
	const citation = { ...CITATION, place: { start: 0, end: 9, ...place } };
	await show([message({ key: "q" }), answer({ text: "Five [1].", citations: [citation] })]);
	expect(find(".stemma-source summary").textContent).toBe(`1 Refunds · ${expected}`);
});

it("keeps a message that is not sent yet", async () => {
	const stored = new Map([["draft", "How long"]]);
	vi.stubGlobal("sessionStorage", {
		getItem: (key: string) => stored.get(key) ?? null,
		setItem: (key: string, text: string) => stored.set(key, text),
		removeItem: (key: string) => stored.delete(key),
	});
	const { send } = await show([], {}, { draftKey: "draft" });
	await waitFor(() => container.querySelector("textarea") !== null).toBe(true);
	const field = find("textarea") as HTMLTextAreaElement;
	await waitFor(() => field.value).toBe("How long");
	field.value = "How long?";
	const typed = dom.window.document.createEvent("Event");
	typed.initEvent("input", true);
	field.dispatchEvent(typed);
	await waitFor(() => stored.get("draft")).toBe("How long?");
	button("Send").click();
	await waitFor(() => send.mock.calls).toEqual([["How long?"]]);
	expect([stored.size, field.value]).toEqual([0, ""]);
	vi.unstubAllGlobals();
});

it("shows the receipt", async () => {
	const model = { payer: "workspace", model: "simulated-1", input_tokens: 3, output_tokens: 2, ms: 12 };
	const row = { stage: "answer", ...model };
	await show([message({ key: "q" }), answer({ receipt: [row as VisibleMessage["receipt"][number]] })]);
	expect(find(".stemma-receipt summary").textContent).toBe("Paid by: workspace");
	expect(find(".stemma-receipt li").textContent).toBe("answer: simulated-1, 5 tokens, workspace, 12 ms");
});

it("says that nobody paid", async () => {
	const model = { payer: "none", model: "extractive", input_tokens: 0, output_tokens: 2, ms: 1 };
	const row = { stage: "answer", ...model };
	await show([message({ key: "q" }), answer({ receipt: [row as VisibleMessage["receipt"][number]] })]);
	expect(find(".stemma-receipt summary").textContent).toBe("Nobody paid: built-in models only");
});
