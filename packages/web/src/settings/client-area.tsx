import { type ApiClient, type CreatedApiClient, type Scope, visibleText } from "@stemma/client";
import { type FormEvent, useId, useState } from "react";
import { useApp } from "../data/app-context";
import { formatTime } from "../data/format";
import { useAction } from "../data/use-action";
import { useList } from "../data/use-list";
import { ConfirmDialog } from "../shell/confirm-dialog";
import { CopyNotice } from "../shell/copy-notice";
import { ErrorNotice } from "../shell/error-notice";
import { Field } from "../shell/field";
import { ADMIN_STRINGS } from "../strings/admin-strings";
import { STRINGS } from "../strings/strings";
import { CredentialRow } from "./credential-row";
import { ListedPanel } from "./listed-panel";
import { ScopeChoice } from "./scope-choice";

/** Change of a client that waits for a confirmation. */
interface PendingChange {
	readonly kind: "rotate" | "delete";
	readonly client: ApiClient;
}

/** Clients of the workspace: a form for another one, new secrets, deletion. */
export function ClientArea() {
	const words = ADMIN_STRINGS.clients;
	const { apiClients } = useApp().stemma;
	const list = useList("clients", (page, signal) => apiClients.list(page, { signal }));
	const [created, setCreated] = useState<CreatedApiClient>();
	const [pending, setPending] = useState<PendingChange>();
	const create = useAction(async (name: string, scopes: readonly Scope[]) => {
		setCreated(undefined);
		setCreated(await apiClients.create({ name, scopes }));
		await list.reload();
	});
	const change = useAction(async ({ kind, client: { id } }: PendingChange) => {
		setCreated(undefined);
		if (kind === "rotate") setCreated(await apiClients.rotate(id));
		else await apiClients.delete(id);
		await list.reload();
	});
	return (
		<>
			<p className="faint">{words.lead}</p>
			<section className="panel" aria-label={words.create}>
				<h2>{words.create}</h2>
				<ClientForm isBusy={create.isRunning} onCreate={(...args) => create.run(...args)} />
				<ErrorNotice error={create.error} />
				{created && (
					<CopyNotice
						key={created.client_secret}
						lead={words.created(visibleText(created.name))}
						text={`STEMMA_CLIENT_ID=${created.id}\nSTEMMA_CLIENT_SECRET=${created.client_secret}`}
					/>
				)}
			</section>
			<ListedPanel
				title={ADMIN_STRINGS.settings.names.clients}
				none={words.none}
				list={list}
				error={change.error}
				renderItem={(client) => <ClientRow key={client.id} client={client} onChange={setPending} />}
			/>
			{pending && (
				<ClientDialog
					change={pending}
					onConfirm={() => void change.run(pending)}
					onClose={() => setPending(undefined)}
				/>
			)}
		</>
	);
}

interface ClientFormProps {
	readonly isBusy: boolean;
	readonly onCreate: (name: string, scopes: readonly Scope[]) => Promise<void>;
}

function ClientForm({ isBusy, onCreate }: ClientFormProps) {
	const words = ADMIN_STRINGS.clients;
	// Nobody can give what they lack.
	const { scopes } = useApp().session;
	const id = useId();
	const [name, setName] = useState("");
	const [chosen, setChosen] = useState<ReadonlySet<Scope>>(() => new Set(["ask"]));
	const submit = (event: FormEvent) => {
		event.preventDefault();
		void onCreate(
			name.trim(),
			scopes.filter((scope) => chosen.has(scope)),
		);
	};
	return (
		<form onSubmit={submit}>
			<div className="fields">
				<Field label={words.name} htmlFor={id} hint={words.nameHint}>
					<input
						id={id}
						required
						maxLength={200}
						autoComplete="off"
						value={name}
						onChange={(event) => setName(event.target.value)}
					/>
				</Field>
			</div>
			<ScopeChoice legend={words.scopes} scopes={scopes} chosen={chosen} onChange={setChosen} />
			<button type="submit" className="primary" disabled={isBusy || chosen.size === 0}>
				{words.createAction}
			</button>
		</form>
	);
}

interface ClientRowProps {
	readonly client: ApiClient;
	readonly onChange: (change: PendingChange) => void;
}

function ClientRow({ client, onChange }: ClientRowProps) {
	const words = ADMIN_STRINGS.clients;
	const name = visibleText(client.name);
	return (
		<CredentialRow
			name={name}
			badge={client.id}
			deleteLabel={words.deleteOf(name)}
			onDelete={() => onChange({ kind: "delete", client })}
			actions={
				<button
					type="button"
					aria-label={words.rotateOf(name)}
					onClick={() => onChange({ kind: "rotate", client })}
				>
					{words.rotate}
				</button>
			}
		>
			{client.scopes.join(", ") || ADMIN_STRINGS.settings.none} ·{" "}
			{words.createdAt(formatTime(client.created_at))}
		</CredentialRow>
	);
}

interface ClientDialogProps {
	readonly change: PendingChange;
	readonly onConfirm: () => void;
	readonly onClose: () => void;
}

function ClientDialog({ change: { kind, client }, onConfirm, onClose }: ClientDialogProps) {
	const words = ADMIN_STRINGS.clients;
	const isRotation = kind === "rotate";
	const name = visibleText(client.name);
	return (
		<ConfirmDialog
			title={isRotation ? words.rotateTitle : words.deleteTitle}
			action={isRotation ? words.rotateAction : STRINGS.app.delete}
			onConfirm={onConfirm}
			onClose={onClose}
		>
			{isRotation ? words.rotateText(name) : words.deleteText(name)}
		</ConfirmDialog>
	);
}
