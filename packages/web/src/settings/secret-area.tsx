import { visibleText, type WorkspaceSecret } from "@stemma/client";
import { type FormEvent, useId, useState } from "react";
import { useApp, useScope } from "../data/app-context";
import { formatTime } from "../data/format";
import { type Action, useAction } from "../data/use-action";
import { useList } from "../data/use-list";
import { ConfirmDialog } from "../shell/confirm-dialog";
import { ErrorNotice } from "../shell/error-notice";
import { Field } from "../shell/field";
import { ADMIN_STRINGS } from "../strings/admin-strings";
import { STRINGS } from "../strings/strings";
import { CredentialRow } from "./credential-row";
import { ListedPanel } from "./listed-panel";

interface SecretDraft {
	readonly name: string;
	readonly serverUrl: string;
	/** Empty: the value that is stored stays. */
	readonly value: string;
}

const EMPTY_SECRET: SecretDraft = { name: "", serverUrl: "", value: "" };

/** Secrets of the workspace: names and addresses; values go in and never come out. */
export function SecretArea() {
	const words = ADMIN_STRINGS.secrets;
	const { workspaceSecrets } = useApp().stemma;
	const mayWrite = useScope("settings:write");
	const list = useList("secrets", (page, signal) => workspaceSecrets.list(page, { signal }));
	const [draft, setDraft] = useState(EMPTY_SECRET);
	const [saved, setSaved] = useState<string>();
	const [deleting, setDeleting] = useState<WorkspaceSecret>();
	const save = useAction(async () => {
		setSaved(undefined);
		const { name, serverUrl, value } = draft;
		await workspaceSecrets.set(name.trim(), {
			server_url: serverUrl.trim(),
			...(value !== "" && { value }),
		});
		setSaved(name.trim());
		setDraft(EMPTY_SECRET);
		await list.reload();
	});
	const remove = useAction(async ({ name }: WorkspaceSecret) => {
		await workspaceSecrets.delete(name);
		await list.reload();
	});
	return (
		<>
			<p className="faint">{words.lead}</p>
			{mayWrite && <SecretForm draft={draft} onChange={setDraft} save={save} saved={saved} />}
			<ListedPanel
				title={ADMIN_STRINGS.settings.names.secrets}
				none={words.none}
				list={list}
				error={remove.error}
				renderItem={(secret) => (
					<SecretRow
						key={secret.name}
						secret={secret}
						onReplace={() => setDraft({ name: secret.name, serverUrl: secret.server_url, value: "" })}
						onDelete={() => setDeleting(secret)}
					/>
				)}
			/>
			{deleting && (
				<ConfirmDialog
					title={words.deleteTitle}
					action={STRINGS.app.delete}
					onConfirm={() => void remove.run(deleting)}
					onClose={() => setDeleting(undefined)}
				>
					{words.deleteText(deleting.name)}
				</ConfirmDialog>
			)}
		</>
	);
}

interface SecretFormProps {
	readonly draft: SecretDraft;
	readonly onChange: (draft: SecretDraft) => void;
	readonly save: Action<[]>;
	/** Name of what was saved last. */
	readonly saved: string | undefined;
}

function SecretForm({ draft, onChange, save, saved }: SecretFormProps) {
	const words = ADMIN_STRINGS.secrets;
	const id = useId();
	const submit = (event: FormEvent) => {
		event.preventDefault();
		void save.run();
	};
	return (
		<form className="panel" aria-label={words.set} onSubmit={submit}>
			<h2>{words.set}</h2>
			<div className="fields">
				<Field label={words.name} htmlFor={`${id}-name`} hint={words.nameHint}>
					<input
						id={`${id}-name`}
						required
						maxLength={64}
						spellCheck={false}
						autoComplete="off"
						value={draft.name}
						onChange={(event) => onChange({ ...draft, name: event.target.value })}
					/>
				</Field>
				<Field label={words.serverUrl} htmlFor={`${id}-url`}>
					<input
						id={`${id}-url`}
						inputMode="url"
						required
						spellCheck={false}
						autoComplete="off"
						placeholder="https://tools.example.com/mcp"
						value={draft.serverUrl}
						onChange={(event) => onChange({ ...draft, serverUrl: event.target.value })}
					/>
				</Field>
				<Field label={words.value} htmlFor={`${id}-value`} hint={words.valueHint}>
					<input
						id={`${id}-value`}
						type="password"
						spellCheck={false}
						autoComplete="off"
						value={draft.value}
						onChange={(event) => onChange({ ...draft, value: event.target.value })}
					/>
				</Field>
			</div>
			<button type="submit" className="primary" disabled={save.isRunning}>
				{words.setAction}
			</button>
			<div role="status">
				{saved !== undefined && <p className="good-text">{words.saved(visibleText(saved))}</p>}
			</div>
			<ErrorNotice error={save.error} />
		</form>
	);
}

interface SecretRowProps {
	readonly secret: WorkspaceSecret;
	readonly onReplace: () => void;
	readonly onDelete: () => void;
}

function SecretRow({ secret, onReplace, onDelete }: SecretRowProps) {
	const words = ADMIN_STRINGS.secrets;
	const { name, server_url, status, updated_at } = secret;
	return (
		<CredentialRow
			name={name}
			deleteLabel={words.deleteOf(name)}
			onDelete={onDelete}
			actions={
				<button type="button" aria-label={words.replaceOf(name)} onClick={onReplace}>
					{words.replace}
				</button>
			}
		>
			{visibleText(server_url)} · {words.changedAt(formatTime(updated_at))}
			{status === "undecryptable" && <p className="bad-text">{words.undecryptable}</p>}
		</CredentialRow>
	);
}
