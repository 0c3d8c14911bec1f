import { type StoredAgent, visibleText } from "@stemma/client";
import { useState } from "react";
import { useApp } from "../data/app-context";
import { useAction } from "../data/use-action";
import { ConfirmDialog } from "../shell/confirm-dialog";
import { ErrorNotice } from "../shell/error-notice";
import { navigate, toHref } from "../shell/route";
import { AGENT_STRINGS } from "../strings/agent-strings";
import { STRINGS } from "../strings/strings";

/** Button that deletes an agent, after a question. */
export function DeleteAgent({ agent: { id, name, slug } }: { readonly agent: StoredAgent }) {
	const words = AGENT_STRINGS;
	const { stemma } = useApp();
	const [isAsking, setAsking] = useState(false);
	const remove = useAction(async () => {
		await stemma.agents.delete(id);
		navigate(toHref("agents"));
	});
	return (
		<div>
			<button type="button" className="danger" disabled={remove.isRunning} onClick={() => setAsking(true)}>
				{words.delete}
			</button>
			<ErrorNotice error={remove.error} />
			{isAsking && (
				<ConfirmDialog
					title={words.deleteTitle}
					action={STRINGS.app.delete}
					onConfirm={() => void remove.run()}
					onClose={() => setAsking(false)}
				>
					{words.deleteText(visibleText(name ?? slug))}
				</ConfirmDialog>
			)}
		</div>
	);
}
