/** Components of UI5 Web Components and elements of HTML whose value is a choice or a number, never a free text. Facts: API reference of UI5 Web Components 2. */
export const CONSTRAINED_COMPONENTS: ReadonlySet<string> = new Set(
  (
    'Select Slider RangeSlider Switch CheckBox RadioButton Button ToggleButton SegmentedButton SegmentedButtonItem SplitButton Menu MenuItem ColorPicker ColorPalette ColorPalettePopover ' +
    'FileUploader RatingIndicator StepInput Calendar ProgressIndicator BusyIndicator List ListItemStandard Tree TabContainer Icon Avatar Link Label ' +
    'select button option meter progress'
  ).split(' '),
)
