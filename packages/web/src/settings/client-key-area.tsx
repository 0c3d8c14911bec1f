import { type ClientKey, type ClientKeyCreate, type CreatedClientKey, visibleText } from "@stemma/client";
import { useState } from "react";
import { useApp } from "../data/app-context";
import { formatNumber } from "../data/format";
import { useAction } from "../data/use-action";
import { useList } from "../data/use-list";
import { ConfirmDialog } from "../shell/confirm-dialog";
import { CopyNotice } from "../shell/copy-notice";
import { ErrorNotice } from "../shell/error-notice";
import { ADMIN_STRINGS } from "../strings/admin-strings";
import { STRINGS } from "../strings/strings";
import { ClientKeyForm } from "./client-key-form";
import { CredentialRow } from "./credential-row";
import { ListedPanel } from "./listed-panel";

/** Client keys of the workspace: a form for another one, and those that there are. */
export function ClientKeyArea() {
	const words = ADMIN_STRINGS.keys;
	const { clientKeys } = useApp().stemma;
	const list = useList("client keys", (page, signal) => clientKeys.list(page, { signal }));
	const [created, setCreated] = useState<CreatedClientKey>();
	const [deleting, setDeleting] = useState<ClientKey>();
	const create = useAction(async (request: ClientKeyCreate) => {
		setCreated(undefined);
		setCreated(await clientKeys.create(request));
		await list.reload();
	});
	const remove = useAction(async ({ id }: ClientKey) => {
		await clientKeys.delete(id);
		await list.reload();
	});
	return (
		<>
			<p className="faint">{words.lead}</p>
			<section className="panel" aria-label={words.create}>
				<h2>{words.create}</h2>
				<ClientKeyForm isBusy={create.isRunning} onCreate={(request) => void create.run(request)} />
				<ErrorNotice error={create.error} />
				{created && (
					<CopyNotice
						key={created.id}
						lead={words.created(visibleText(created.name))}
						text={created.client_key}
					/>
				)}
			</section>
			<ListedPanel
				title={ADMIN_STRINGS.settings.names.keys}
				none={words.none}
				list={list}
				error={remove.error}
				renderItem={(clientKey) => (
					<ClientKeyRow key={clientKey.id} clientKey={clientKey} onDelete={() => setDeleting(clientKey)} />
				)}
			/>
			{deleting && (
				<ConfirmDialog
					title={words.deleteTitle}
					action={STRINGS.app.delete}
					onConfirm={() => void remove.run(deleting)}
					onClose={() => setDeleting(undefined)}
				>
					{words.deleteText(visibleText(deleting.name))}
				</ConfirmDialog>
			)}
		</>
	);
}

interface ClientKeyRowProps {
	readonly clientKey: ClientKey;
	readonly onDelete: () => void;
}

function ClientKeyRow({ clientKey, onDelete }: ClientKeyRowProps) {
	const words = ADMIN_STRINGS.keys;
	const { id, scopes, origins, native, requests_per_minute, tokens_per_day } = clientKey;
	const name = visibleText(clientKey.name);
	const places = [...origins.map((origin) => visibleText(origin)), ...(native ? [words.nativeOnly] : [])];
	return (
		<CredentialRow name={name} badge={id} deleteLabel={words.deleteOf(name)} onDelete={onDelete}>
			{places.join(", ")}
			<br />
			{words.details(scopes.join(", "), formatNumber(requests_per_minute), formatNumber(tokens_per_day))}
		</CredentialRow>
	);
}
