import { useState } from "react";
import { useApp } from "../data/app-context";
import { useAction } from "../data/use-action";
import { ConfirmDialog } from "../shell/confirm-dialog";
import { ErrorNotice } from "../shell/error-notice";
import { RUN_STRINGS } from "../strings/run-strings";

/** Button that cancels a run, after a question. */
export function CancelRun({ runId }: { readonly runId: string }) {
	const words = RUN_STRINGS;
	const { stemma } = useApp();
	const [isAsking, setAsking] = useState(false);
	const cancel = useAction(() => stemma.runs.cancel(runId));
	return (
		<>
			<button type="button" className="danger" disabled={cancel.isRunning} onClick={() => setAsking(true)}>
				{words.cancel}
			</button>
			<ErrorNotice error={cancel.error} />
			{isAsking && (
				<ConfirmDialog
					title={words.cancelTitle}
					action={words.cancelAction}
					onConfirm={() => void cancel.run()}
					onClose={() => setAsking(false)}
				>
					{words.cancelText}
				</ConfirmDialog>
			)}
		</>
	);
}
