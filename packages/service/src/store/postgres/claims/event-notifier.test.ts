import { expect, it } from "vitest";
import { createEventNotifier } from "./event-notifier";
import type { WorkMessage } from "./notify-work";

/** Bus whose messages are on their way until the test lets them arrive, or fail. */
function createBus() {
	const sent: { readonly messages: readonly unknown[]; readonly done: PromiseWithResolvers<void> }[] = [];
	let onMissed = (): void => undefined;
	return {
		sent,
		reconnect: () => onMissed(),
		bus: {
			publish(_: string, ...messages: readonly unknown[]): Promise<void> {
				const done = Promise.withResolvers<void>();
				sent.push({ messages, done });
				return done.promise;
			},
			onMissed(listener: () => void) {
				onMissed = listener;
				return () => undefined;
			},
		},
	};
}

const toMessage = (workspace: string, ...runIds: string[]): WorkMessage => ({
	workspace,
	from: "ins_1",
	change: { type: "runs", runIds },
});
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it("sends what gathers while a message is on its way together, each run once", async () => {
	const { bus, sent } = createBus();
	const notifier = createEventNotifier(bus, "ins_1");
	notifier.add("ws_a", ["run_1"]);
	notifier.add("ws_a", ["run_1", "run_2"]);
	notifier.add("ws_b", ["run_3"]);
	notifier.add("ws_a", ["run_2"]);
	expect(sent.map(({ messages }) => messages)).toEqual([[toMessage("ws_a", "run_1")]]);
	sent[0]?.done.resolve();
	await settle();
	expect(sent[1]?.messages).toEqual([toMessage("ws_a", "run_1", "run_2"), toMessage("ws_b", "run_3")]);
	sent[1]?.done.resolve();
	await settle();
	expect(sent).toHaveLength(2);
});

it("sends what could not be sent once there is a connection again, or with the next", async () => {
	const { bus, sent, reconnect } = createBus();
	const notifier = createEventNotifier(bus, "ins_1");
	notifier.add("ws_a", ["run_1"]);
	sent[0]?.done.reject(new Error("The connection is lost."));
	await settle();
	expect(sent).toHaveLength(1);
	reconnect();
	expect(sent[1]?.messages).toEqual([toMessage("ws_a", "run_1")]);
	sent[1]?.done.reject(new Error("The connection is lost."));
	await settle();
	notifier.add("ws_a", ["run_2"]);
	expect(sent[2]?.messages).toEqual([toMessage("ws_a", "run_1", "run_2")]);
});

it("splits what is too long for one message", async () => {
	const { bus, sent } = createBus();
	createEventNotifier(bus, "ins_1").add(
		"ws_a",
		Array.from({ length: 400 }, (_, index) => `run_${index}`),
	);
	const lengths = sent[0]?.messages.map((message) => JSON.stringify(message).length) ?? [];
	expect(lengths).toHaveLength(3);
	expect(Math.max(...lengths)).toBeLessThan(7_000);
});
