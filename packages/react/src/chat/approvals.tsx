import { toExactJson, visibleText } from "@stemma/client";
import type { VisibleMessage } from "@stemma/react";
import { useChatContext } from "./chat-context";

/** Approvals that an answer waits for, with the exact arguments. Client keys see that it waits, and cannot decide. */
export function Approvals({ message }: { readonly message: VisibleMessage }) {
	const { chat, labels } = useChatContext();
	const { key, status, approvals } = message;
	if (status !== "waiting") return null;
	if (approvals.length === 0) return <p className="stemma-note">{labels.waiting}</p>;
	return approvals.map(({ id, tool, arguments: args }) => (
		<fieldset key={id} className="stemma-approval">
			<legend>
				{labels.approval} <code>{visibleText(tool)}</code>
			</legend>
			<pre>{toExactJson(args)}</pre>
			<button type="button" onClick={() => chat.decide(key, id, { decision: "approve" })}>
				{labels.approve}
			</button>
			<button type="button" onClick={() => chat.decide(key, id, { decision: "deny" })}>
				{labels.deny}
			</button>
		</fieldset>
	));
}
