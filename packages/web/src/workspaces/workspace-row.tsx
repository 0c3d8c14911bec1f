import { visibleText, type Workspace } from "@stemma/client";
import { type FormEvent, useId, useState } from "react";
import { useApp } from "../data/app-context";
import { formatBytes, formatTime } from "../data/format";
import { useAction } from "../data/use-action";
import { ConfirmDialog } from "../shell/confirm-dialog";
import { ErrorNotice } from "../shell/error-notice";
import { STRINGS } from "../strings/strings";
import { WORKSPACE_STRINGS } from "../strings/workspace-strings";
import { useSwitchWorkspace } from "./use-switch-workspace";

interface WorkspaceRowProps {
	readonly workspace: Workspace;
	/** The person is a member of it. */
	readonly isReachable: boolean;
	/** Called once it was renamed or deleted. */
	readonly onChange: () => void;
}

/** One workspace: its name, its state, and what an operator does with it. */
export function WorkspaceRow({ workspace, isReachable, onChange }: WorkspaceRowProps) {
	const words = WORKSPACE_STRINGS;
	const { stemma, session } = useApp();
	const [isRenaming, setRenaming] = useState(false);
	const [isAsking, setAsking] = useState(false);
	const switching = useSwitchWorkspace();
	const remove = useAction(async () => {
		await stemma.workspaces.delete(workspace.id);
		onChange();
	});
	const name = visibleText(workspace.name);
	const isCurrent = workspace.id === session.workspace.id;
	return (
		<li>
			<div className="row">
				<WorkspaceName workspace={workspace} isCurrent={isCurrent} />
				{isReachable && !isCurrent && (
					<button
						type="button"
						aria-label={words.goToOf(name)}
						onClick={() => void switching.run(workspace.id)}
					>
						{words.goTo}
					</button>
				)}
				<button type="button" aria-label={words.renameOf(name)} onClick={() => setRenaming(!isRenaming)}>
					{words.rename}
				</button>
				{!isCurrent && (
					<button
						type="button"
						className="danger"
						aria-label={words.deleteOf(name)}
						disabled={remove.isRunning}
						onClick={() => setAsking(true)}
					>
						{words.delete}
					</button>
				)}
			</div>
			{isCurrent && <p className="faint">{words.deleteCurrent}</p>}
			{isRenaming && (
				<RenameForm workspace={workspace} onClose={() => setRenaming(false)} onChange={onChange} />
			)}
			<ErrorNotice error={remove.error ?? switching.error} />
			{isAsking && (
				<ConfirmDialog
					title={words.deleteTitle}
					action={words.delete}
					typed={workspace.name}
					onConfirm={() => void remove.run()}
					onClose={() => setAsking(false)}
				>
					{words.deleteText(name)}
				</ConfirmDialog>
			)}
		</li>
	);
}

interface WorkspaceNameProps {
	readonly workspace: Workspace;
	readonly isCurrent: boolean;
}

function WorkspaceName({ workspace, isCurrent }: WorkspaceNameProps) {
	return (
		<>
			<span className="person break" dir="auto">
				<strong>{visibleText(workspace.name)}</strong>
				<br />
				<span className="small">{describe(workspace)}</span>
			</span>
			{isCurrent && <span className="badge">{WORKSPACE_STRINGS.current}</span>}
		</>
	);
}

interface RenameFormProps {
	readonly workspace: Workspace;
	readonly onClose: () => void;
	/** Called once the workspace was renamed. */
	readonly onChange: () => void;
}

function RenameForm({ workspace, onClose, onChange }: RenameFormProps) {
	const words = WORKSPACE_STRINGS;
	const { stemma } = useApp();
	const id = useId();
	const rename = useAction(async (name: string) => {
		await stemma.workspaces.update(workspace.id, { name });
		onClose();
		onChange();
	});
	const submit = (event: FormEvent<HTMLFormElement>) => {
		event.preventDefault();
		void rename.run(String(new FormData(event.currentTarget).get("name")).trim());
	};
	return (
		<form className="row grow ends" onSubmit={submit}>
			<div className="field">
				<label htmlFor={`${id}-name`}>{words.name}</label>
				<input
					id={`${id}-name`}
					name="name"
					required
					maxLength={200}
					autoComplete="off"
					defaultValue={workspace.name}
				/>
			</div>
			<button type="submit" disabled={rename.isRunning}>
				{words.save}
			</button>
			<button type="button" onClick={onClose}>
				{STRINGS.app.cancel}
			</button>
			<ErrorNotice error={rename.error} />
		</form>
	);
}

function describe({ created_at, storage_bytes, status }: Workspace): string {
	const words = WORKSPACE_STRINGS;
	return [
		words.since(formatTime(created_at)),
		...(storage_bytes === undefined ? [] : [words.stored(formatBytes(storage_bytes))]),
		...(status === "unavailable" ? [words.unavailable] : []),
	].join(" · ");
}
