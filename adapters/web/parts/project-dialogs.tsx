import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Project } from '../../../core/index.ts'
import { toVisible } from '../../../core/report/writers/characters.ts'
import { toFault, type Fault } from '../state/api.ts'
import { recentScans } from '../state/load.ts'
import { changeProject, deleteProject, projects } from '../state/projects.ts'
import { go } from '../state/router.ts'
import { say } from '../words/index.ts'
import { FaultMessage } from './message.tsx'
import { Modal } from './modal.tsx'

interface DialogProps {
  readonly project: Project
  readonly name: string
}

/** Title and tags. */
export function ChangeButton({ project, name, onDone }: DialogProps & { readonly onDone: () => void }): JSX.Element {
  const [open, setOpen] = useState(false)
  const [fault, setFault] = useState<Fault>()
  const [title, setTitle] = useState('')
  const [tags, setTags] = useState('')
  const begin = (): void => {
    setFault(undefined)
    setTitle(project.title ?? project.name)
    setTags(project.tags.join(', '))
    setOpen(true)
  }
  const save = async (event: Event): Promise<void> => {
    event.preventDefault()
    const list = tags.split(',').map((tag) => tag.trim())
    try {
      await changeProject(name, { title: title.trim(), tags: [...new Set(list.filter(Boolean))] })
      setOpen(false)
      onDone()
    } catch (error) {
      setFault(toFault(error))
    }
  }
  return (
    <>
      <button type="button" class="fd-button fd-button--transparent" onClick={begin}>
        {say('changeProject')}
      </button>
      {open && (
        <Modal title={say('changeProject')} onClose={() => setOpen(false)}>
          <form class="modal-form" onSubmit={(event) => void save(event)}>
            {fault !== undefined && <FaultMessage fault={fault} />}
            <label>
              <span class="fd-form-label">{say('projectTitle')}</span>
              <input
                class="fd-input"
                value={title}
                required
                maxLength={200}
                onInput={({ currentTarget }) => setTitle(currentTarget.value)}
              />
            </label>
            <label>
              <span class="fd-form-label">{say('projectTags')}</span>
              <input class="fd-input" value={tags} onInput={({ currentTarget }) => setTags(currentTarget.value)} />
            </label>
            <div class="modal-actions">
              <button type="submit" class="fd-button fd-button--emphasized">
                {say('save')}
              </button>
              <button type="button" class="fd-button fd-button--transparent" onClick={() => setOpen(false)}>
                {say('cancel')}
              </button>
            </div>
          </form>
        </Modal>
      )}
    </>
  )
}

/** Deletes a project with all its scans, once its name was entered. */
export function DeleteButton({ project, name }: DialogProps): JSX.Element {
  const [open, setOpen] = useState(false)
  const [fault, setFault] = useState<Fault>()
  const [text, setText] = useState('')
  // a name that can't be typed as it is shown is confirmed as it is shown
  const wanted = toVisible(project.name).trim()
  const remove = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (text.trim() !== wanted) return
    try {
      await deleteProject(name)
      await Promise.all([recentScans.load(), projects.load()])
      go('projects')
    } catch (error) {
      setFault(toFault(error))
    }
  }
  return (
    <>
      <button type="button" class="fd-button fd-button--transparent" onClick={() => setOpen(true)}>
        {say('deleteProject')}
      </button>
      {open && (
        <Modal title={say('deleteProjectTitle')} onClose={() => setOpen(false)}>
          <form class="modal-form" onSubmit={(event) => void remove(event)}>
            {fault !== undefined && <FaultMessage fault={fault} />}
            <p>{say('deleteProjectDetail', { n: project.scans, name: wanted })}</p>
            <label>
              <span class="fd-form-label">{say('projectName')}</span>
              <input
                class="fd-input"
                value={text}
                autocomplete="off"
                spellcheck={false}
                onInput={({ currentTarget }) => setText(currentTarget.value)}
              />
            </label>
            <div class="modal-actions">
              <button type="submit" class="fd-button fd-button--negative" disabled={text.trim() !== wanted}>
                {say('deleteProject')}
              </button>
              <button type="button" class="fd-button fd-button--transparent" onClick={() => setOpen(false)}>
                {say('cancel')}
              </button>
            </div>
          </form>
        </Modal>
      )}
    </>
  )
}
