import type { RunStatus } from "@stemma/core";
import { vi } from "vitest";
import { type Chat, type ChatProgram, partsOf, textOf } from "./ai-sdk-chat";
import type { FrontEnd } from "./front-end";

let chats = 0;

/** The chat of `useChat`, without a page around it. */
export const createAiSdkFrontEnd =
	({ openChat }: ChatProgram): FrontEnd =>
	({ toUrl, fetch, sdk }, agent) => {
		const id = `matrix-${chats++}`;
		const openPage = (): Chat => openChat({ api: toUrl(agent, "ui"), fetch, id });
		let chat = openPage();
		/** Messages behind the last one of the user. */
		const listAnswers = () => {
			const { messages } = chat;
			return messages.slice(messages.findLastIndex(({ role }) => role === "user") + 1);
		};
		const getMetadata = () => listAnswers().at(-1)?.metadata ?? {};
		const listParts = (type: string) => listAnswers().flatMap((message) => partsOf(message, type));
		const listWaiting = () => listParts("dynamic-tool").filter(({ state }) => state === "approval-requested");
		return {
			read: () => ({
				run_id: getMetadata().run_id,
				status: getMetadata().status as RunStatus | undefined,
				text: listAnswers().map(textOf).join(""),
				citations: [...listParts("source-document"), ...listParts("source-url")].map(
					({ providerMetadata }) => providerMetadata?.stemma ?? {},
				),
				error: chat.error,
				approvals: listWaiting().map(({ input }) => input as object),
			}),
			ask: (question) => chat.send(question),
			async decide(approved) {
				for (const { approval } of listWaiting()) await chat.approve(approval?.id ?? "", approved);
				// The chat sends by itself once all are decided.
				await vi.waitFor(() => {
					if (chat.error === undefined && getMetadata().status === "paused")
						throw new Error("It still waits.");
				}, 30_000);
			},
			async cancel() {
				const { run_id = "", run_token } = getMetadata();
				await sdk.runs.cancel(run_id, { run_token });
			},
			async rejoin() {
				await chat.stop();
				chat = openPage();
				await chat.resume();
			},
		};
	};
