import { useState } from "react";
import { Dialog } from "../../shell/dialog";
import { SHARE_STRINGS } from "../../strings/share-strings";
import { STRINGS } from "../../strings/strings";
import { ShareForm } from "./share-form";
import { ShareList } from "./share-list";

/** Button that opens the links to a run, which has ended. */
export function ShareRun({ runId }: { readonly runId: string }) {
	const [isOpen, setOpen] = useState(false);
	/** Grows with each link that is made, so that the list is read again. */
	const [version, setVersion] = useState(0);
	return (
		<>
			<button type="button" onClick={() => setOpen(true)}>
				{SHARE_STRINGS.share}
			</button>
			{isOpen && (
				<Dialog title={SHARE_STRINGS.title} onClose={() => setOpen(false)}>
					<p>{SHARE_STRINGS.lead}</p>
					<ShareForm runId={runId} onCreate={() => setVersion(version + 1)} />
					<ShareList runId={runId} version={version} />
					<div className="row end">
						<button type="button" onClick={() => setOpen(false)}>
							{STRINGS.app.close}
						</button>
					</div>
				</Dialog>
			)}
		</>
	);
}
