import type { RunShare } from "@stemma/client";
import { useApp } from "../../data/app-context";
import { formatNumber, formatTime } from "../../data/format";
import { useAction } from "../../data/use-action";
import { useResource } from "../../data/use-resource";
import { ErrorNotice } from "../../shell/error-notice";
import { SHARE_STRINGS } from "../../strings/share-strings";

const MAX_SHOWN = 100;

interface ShareListProps {
	readonly runId: string;
	/** Another one reads the list again. */
	readonly version: number;
}

/** Valid links to a run, each with a button that revokes it: those of the person, or of all for admins. */
export function ShareList({ runId, version }: ShareListProps) {
	const words = SHARE_STRINGS;
	const { stemma, session } = useApp();
	const list = useResource(
		`shares ${runId}`,
		(signal) => stemma.runs.shares.list({ run_id: runId, limit: MAX_SHOWN }, { signal }),
		version,
	);
	const revoke = useAction(async (id: string) => {
		await stemma.runs.shares.delete(id);
		await list.reload();
	});
	return (
		<section aria-label={words.links}>
			<h3>{words.links}</h3>
			<ErrorNotice error={list.error ?? revoke.error} onRetry={() => void list.reload()} />
			{list.value?.data.length === 0 && <p className="faint">{words.none}</p>}
			<ul className="people">
				{list.value?.data.map((share) => (
					<li key={share.id} className="row">
						<span className="person break small">
							{describe(share)}
							{share.created_by !== session.user.id && ` · ${words.createdBy(share.created_by)}`}
						</span>
						<button
							type="button"
							aria-label={words.revokeOf(formatTime(share.expires_at))}
							disabled={revoke.isRunning}
							onClick={() => void revoke.run(share.id)}
						>
							{words.revoke}
						</button>
					</li>
				))}
			</ul>
		</section>
	);
}

function describe({ fields, expires_at, views }: RunShare): string {
	const { short, views: toViews } = SHARE_STRINGS;
	const parts = fields.map((field) => short[field]).join(", ");
	return SHARE_STRINGS.describe(parts, formatTime(expires_at), toViews(views, formatNumber(views)));
}
