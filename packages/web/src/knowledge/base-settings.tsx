import { type KnowledgeBase, visibleText } from "@stemma/client";
import { type FormEvent, useId, useState } from "react";
import { useApp, useScope } from "../data/app-context";
import { useAction } from "../data/use-action";
import { ConfirmDialog } from "../shell/confirm-dialog";
import { ErrorNotice } from "../shell/error-notice";
import { Field } from "../shell/field";
import { navigate, toHref } from "../shell/route";
import { STRINGS } from "../strings/strings";
import { BasePlan } from "./base-plan";
import { type BaseSettingsDraft, toBaseDraft, toBaseUpdate } from "./base-settings-draft";

interface BaseSettingsProps {
	readonly base: KnowledgeBase;
	readonly onChanged: () => Promise<void>;
}

interface DraftProps {
	readonly draft: BaseSettingsDraft;
	readonly onChange: (draft: BaseSettingsDraft) => void;
}

/** Settings of a knowledge base: its name, the model that answers from it alone, and its deletion. */
export function BaseSettings({ base, onChanged }: BaseSettingsProps) {
	const words = STRINGS.knowledge.settings;
	const { stemma } = useApp();
	const mayChooseModel = useScope("settings:write");
	const [draft, setDraft] = useState(() => toBaseDraft(base));
	const [isSaved, setSaved] = useState(false);
	const save = useAction(async () => {
		setSaved(false);
		setDraft(toBaseDraft(await stemma.knowledge.update(base.id, toBaseUpdate(base, draft))));
		setSaved(true);
		await onChanged();
	});
	const submit = (event: FormEvent) => {
		event.preventDefault();
		void save.run();
	};
	return (
		<details className="panel more">
			<summary>
				<h2 className="more-title">{words.title}</h2>
			</summary>
			<form onSubmit={submit}>
				<NameFields draft={draft} onChange={setDraft} />
				{mayChooseModel && (
					<>
						<ModelFields draft={draft} onChange={setDraft} />
						<BasePlan draft={draft} />
					</>
				)}
				<button type="submit" className="primary" disabled={save.isRunning}>
					{save.isRunning ? STRINGS.models.saving : STRINGS.models.save}
				</button>
				<div role="status">{isSaved && <p className="good-text">{STRINGS.models.saved}</p>}</div>
				<ErrorNotice error={save.error} />
			</form>
			<DeleteBase id={base.id} name={base.name} />
		</details>
	);
}

function NameFields({ draft, onChange }: DraftProps) {
	const words = STRINGS.knowledge.settings;
	const id = useId();
	return (
		<div className="fields">
			<Field label={STRINGS.knowledge.name} htmlFor={`${id}-name`}>
				<input
					id={`${id}-name`}
					required
					maxLength={200}
					autoComplete="off"
					dir="auto"
					value={draft.name}
					onChange={(event) => onChange({ ...draft, name: event.target.value })}
				/>
			</Field>
			<Field label={words.description} htmlFor={`${id}-description`} hint={words.descriptionHint}>
				<input
					id={`${id}-description`}
					maxLength={1000}
					autoComplete="off"
					dir="auto"
					value={draft.description}
					onChange={(event) => onChange({ ...draft, description: event.target.value })}
				/>
			</Field>
		</div>
	);
}

function ModelFields({ draft, onChange }: DraftProps) {
	const words = STRINGS.knowledge.settings;
	const id = useId();
	return (
		<>
			<div className="fields">
				<Field label={STRINGS.models.provider} htmlFor={`${id}-provider`}>
					<select
						id={`${id}-provider`}
						value={draft.llmProvider}
						onChange={(event) => onChange({ ...draft, llmProvider: event.target.value })}
					>
						<option value="">{words.asWorkspace}</option>
						{Object.entries(STRINGS.models.providers).map(([provider, name]) => (
							<option key={provider} value={provider}>
								{name}
							</option>
						))}
						<option value="extractive">{words.builtIn}</option>
					</select>
				</Field>
				<Field label={STRINGS.models.model} htmlFor={`${id}-model`} hint={words.modelHint}>
					<input
						id={`${id}-model`}
						maxLength={256}
						spellCheck={false}
						autoComplete="off"
						value={draft.llmModel}
						onChange={(event) => onChange({ ...draft, llmModel: event.target.value })}
					/>
				</Field>
			</div>
			<p className="small">{words.severalNote}</p>
		</>
	);
}

function DeleteBase({ id, name }: { readonly id: string; readonly name: string }) {
	const words = STRINGS.knowledge;
	const { stemma } = useApp();
	const [isAsking, setAsking] = useState(false);
	const remove = useAction(async () => {
		await stemma.knowledge.delete(id);
		navigate(toHref("knowledge"));
	});
	return (
		<div className="last">
			<button type="button" className="danger" onClick={() => setAsking(true)} disabled={remove.isRunning}>
				{words.deleteBase}
			</button>
			<ErrorNotice error={remove.error} />
			{isAsking && (
				<ConfirmDialog
					title={words.deleteBaseTitle}
					action={STRINGS.app.delete}
					typed={name}
					onConfirm={() => void remove.run()}
					onClose={() => setAsking(false)}
				>
					{words.deleteBaseText(visibleText(name))}
				</ConfirmDialog>
			)}
		</div>
	);
}
