export interface Ui5App {
  readonly root: string
}
