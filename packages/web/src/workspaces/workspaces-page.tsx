import { type CreatedWorkspace, visibleText, type Workspace } from "@stemma/client";
import { type FormEvent, useId, useState } from "react";
import { useApp } from "../data/app-context";
import { useAction } from "../data/use-action";
import { useList } from "../data/use-list";
import { useResource } from "../data/use-resource";
import { CopyNotice } from "../shell/copy-notice";
import { ErrorNotice } from "../shell/error-notice";
import { STRINGS } from "../strings/strings";
import { WORKSPACE_STRINGS } from "../strings/workspace-strings";
import { WorkspaceRow } from "./workspace-row";

/** Page of an operator: workspaces as objects, to create, rename and delete. */
export function WorkspacesPage() {
	const words = WORKSPACE_STRINGS;
	const { stemma } = useApp();
	const list = useList<Workspace>("workspaces", (page, signal) => stemma.workspaces.list(page, { signal }));
	const own = useResource("own workspaces", (signal) => stemma.session.workspaces({ signal }));
	const reachable = new Set(own.value?.data.map(({ id }) => id));
	const reload = async () => {
		await Promise.all([list.reload(), own.reload()]);
	};
	return (
		<div className="page narrow">
			<h1>{STRINGS.app.workspaces}</h1>
			<p>{words.lead}</p>
			<CreateWorkspace onCreate={() => void reload()} />
			<ErrorNotice error={list.error ?? own.error} onRetry={() => void reload()} />
			{list.value === undefined && list.isLoading && <p role="status">{STRINGS.app.loading}</p>}
			<ul className="people panel">
				{list.value?.data.map((workspace) => (
					<WorkspaceRow
						key={workspace.id}
						workspace={workspace}
						isReachable={reachable.has(workspace.id)}
						onChange={() => void reload()}
					/>
				))}
			</ul>
			{list.value?.has_more && (
				<button type="button" onClick={list.showMore}>
					{STRINGS.app.more}
				</button>
			)}
		</div>
	);
}

function CreateWorkspace({ onCreate }: { readonly onCreate: () => void }) {
	const words = WORKSPACE_STRINGS;
	const { stemma } = useApp();
	const id = useId();
	const [created, setCreated] = useState<CreatedWorkspace>();
	const create = useAction(async (form: HTMLFormElement) => {
		setCreated(undefined);
		const name = String(new FormData(form).get("name")).trim();
		setCreated(await stemma.workspaces.create({ name }));
		form.reset();
		onCreate();
	});
	const submit = (event: FormEvent<HTMLFormElement>) => {
		event.preventDefault();
		void create.run(event.currentTarget);
	};
	return (
		<section className="panel" aria-label={words.create}>
			<h2>{words.create}</h2>
			<form className="row grow ends" onSubmit={submit}>
				<div className="field">
					<label htmlFor={`${id}-name`}>{words.name}</label>
					<input id={`${id}-name`} name="name" required maxLength={200} autoComplete="off" />
				</div>
				<button type="submit" className="primary" disabled={create.isRunning}>
					{words.createAction}
				</button>
			</form>
			<ErrorNotice error={create.error} />
			{created && (
				<CopyNotice lead={words.created(visibleText(created.name))} text={formatCredentials(created)} />
			)}
		</section>
	);
}

/** Lines that an .env file takes. */
const formatCredentials = ({ client_id, client_secret, client_key }: CreatedWorkspace): string =>
	[
		`STEMMA_CLIENT_ID=${client_id}`,
		`STEMMA_CLIENT_SECRET=${client_secret}`,
		`STEMMA_CLIENT_KEY=${client_key}`,
	].join("\n");
