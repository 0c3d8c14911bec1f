import { type Authorization, visibleText } from "@stemma/client";
import { useState } from "react";
import { useApp } from "../data/app-context";
import { formatTime } from "../data/format";
import { useAction } from "../data/use-action";
import { useResource } from "../data/use-resource";
import { ConfirmDialog } from "../shell/confirm-dialog";
import { EmptyState } from "../shell/empty-state";
import { ErrorNotice } from "../shell/error-notice";
import { AUTHORIZATION_STRINGS, describeScope } from "../strings/authorization-strings";
import { STRINGS } from "../strings/strings";

const MAX_APPS_SHOWN = 100;

/** Page of the apps that act as the person, whose access the person ends here. */
export function ConnectedAppsPage() {
	const words = AUTHORIZATION_STRINGS;
	const { stemma } = useApp();
	const list = useResource("authorizations", (signal) =>
		stemma.authorizations.list({ limit: MAX_APPS_SHOWN }, { signal }),
	);
	const { reload } = list;
	const [ending, setEnding] = useState<Authorization>();
	const end = useAction(async (id: string) => {
		await stemma.authorizations.delete(id);
		await reload();
	});
	return (
		<div className="page">
			<h1>{words.apps}</h1>
			<p className="faint">{words.appsLead}</p>
			<ErrorNotice error={list.error ?? end.error} onRetry={() => void reload()} />
			{list.value === undefined && list.isLoading && <p role="status">{STRINGS.app.loading}</p>}
			{list.value?.data.length === 0 && (
				<EmptyState title={words.none}>
					<p>{words.noneHint}</p>
				</EmptyState>
			)}
			{list.value !== undefined && list.value.data.length > 0 && (
				<section className="panel" aria-label={words.apps}>
					<ul className="people">
						{list.value.data.map((authorization) => (
							<AppRow
								key={authorization.id}
								authorization={authorization}
								onEnd={() => setEnding(authorization)}
							/>
						))}
					</ul>
				</section>
			)}
			{ending && (
				<ConfirmDialog
					title={words.revokeTitle}
					action={words.revoke}
					onConfirm={() => void end.run(ending.id)}
					onClose={() => setEnding(undefined)}
				>
					{words.revokeText(visibleText(ending.client.name))}
				</ConfirmDialog>
			)}
		</div>
	);
}

interface AppRowProps {
	readonly authorization: Authorization;
	readonly onEnd: () => void;
}

function AppRow({ authorization: { client, redirect_host, scopes, last_used_at }, onEnd }: AppRowProps) {
	const words = AUTHORIZATION_STRINGS;
	const name = visibleText(client.name);
	return (
		<li className="row">
			<span className="person" dir="auto">
				<strong>{name}</strong> ({redirect_host === null ? words.computer : visibleText(redirect_host)})
				<br />
				<span className="small">
					{scopes.map(describeScope).join("; ")} · {words.lastUsed(formatTime(last_used_at))}
				</span>
			</span>
			<button type="button" className="danger" aria-label={words.revokeOf(name)} onClick={onEnd}>
				{words.revoke}
			</button>
		</li>
	);
}
