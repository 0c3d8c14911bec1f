import type { LlmProvider, LlmSettings, LlmSettingsTest, UnsetLlmSettings } from "@stemma/client";
import { visibleText } from "@stemma/client";
import { type FormEvent, type ReactNode, useState } from "react";
import { useApp, useScope } from "../data/app-context";
import { useAction } from "../data/use-action";
import { ConfirmDialog } from "../shell/confirm-dialog";
import { ErrorNotice } from "../shell/error-notice";
import { STRINGS } from "../strings/strings";
import { NO_SETTINGS, type SettingsDraft, toDraft, toUpdate } from "./settings-draft";
import { SettingsFields } from "./settings-fields";
import { TestResult } from "./test-result";

interface SettingsFormProps {
	readonly settings: LlmSettings | UnsetLlmSettings;
	readonly vendors: readonly LlmProvider[];
	readonly onChanged: () => Promise<void>;
}

/** Form of the settings: test what is written, save it, or clear what is stored. */
export function SettingsForm({ settings, vendors, onChanged }: SettingsFormProps) {
	const words = STRINGS.models;
	const mayWrite = useScope("settings:write");
	const form = useSettingsForm(settings, onChanged);
	const { draft, save, test, clear } = form;
	const [isAsking, setAsking] = useState(false);
	if (!mayWrite) return null;
	const isBusy = save.isRunning || test.isRunning || clear.isRunning;
	const submit = (event: FormEvent) => {
		event.preventDefault();
		void save.run();
	};
	return (
		<form className="panel" onSubmit={submit}>
			<h2>{words.formTitle}</h2>
			<SettingsFields
				draft={draft}
				vendors={vendors}
				hasStoredKey={settings.has_api_key}
				onChange={form.change}
			/>
			<div className="row">
				<button type="submit" className="primary" disabled={isBusy}>
					{save.isRunning ? words.saving : words.save}
				</button>
				<button type="button" disabled={isBusy} onClick={() => void test.run()}>
					{test.isRunning ? words.testing : words.test}
				</button>
				{settings.provider !== null && (
					<button type="button" className="danger" disabled={isBusy} onClick={() => setAsking(true)}>
						{words.clear}
					</button>
				)}
			</div>
			<p className="small">{words.testPaid}</p>
			<Outcome warnings={form.warnings}>{form.done}</Outcome>
			<ErrorNotice error={save.error ?? test.error ?? clear.error} />
			{form.result && <TestResult result={form.result} />}
			{isAsking && (
				<ConfirmDialog
					title={words.clearTitle}
					action={words.clear}
					onConfirm={() => void clear.run()}
					onClose={() => setAsking(false)}
				>
					{words.clearText}
				</ConfirmDialog>
			)}
		</form>
	);
}

/** Content of the form, and what can be done with it. */
function useSettingsForm(settings: SettingsFormProps["settings"], onChanged: () => Promise<void>) {
	const words = STRINGS.models;
	const { llmSettings } = useApp().stemma;
	const [draft, setDraft] = useState(() => toDraft(settings));
	const [result, setResult] = useState<LlmSettingsTest>();
	const [done, setDone] = useState<string>();
	const [warnings, setWarnings] = useState<readonly string[]>([]);
	const forget = () => {
		setResult(undefined);
		setDone(undefined);
		setWarnings([]);
		for (const action of [save, test, clear]) action.clearError();
	};
	const save = useAction(async () => {
		forget();
		const saved = await llmSettings.set(toUpdate(draft));
		setWarnings(saved.warnings);
		setDone(words.saved);
		setDraft(toDraft(saved));
		await onChanged();
	});
	const test = useAction(async () => {
		forget();
		setResult(await llmSettings.test(toUpdate(draft)));
	});
	const clear = useAction(async () => {
		forget();
		await llmSettings.delete();
		setDone(words.cleared);
		setDraft(NO_SETTINGS);
		await onChanged();
	});
	const change = (next: SettingsDraft) => {
		setDraft(next);
		// A result is of what was written then.
		setResult(undefined);
	};
	return { draft, change, save, test, clear, result, done, warnings };
}

interface OutcomeProps {
	readonly warnings: readonly string[];
	readonly children: ReactNode;
}

function Outcome({ warnings, children }: OutcomeProps) {
	return (
		<div role="status">
			{children && <p className="good-text">{children}</p>}
			{warnings.map((warning) => (
				<p key={warning} className="notice">
					{visibleText(warning)}
				</p>
			))}
		</div>
	);
}
