package door

import (
	"context"

	"github.com/inklinghq/inkling/internal/door/gpu"
	"github.com/inklinghq/inkling/internal/numeric/device"
	"github.com/inklinghq/inkling/internal/numeric/device/wire"
)

// What Options.Device can be.
const (
	DeviceAuto = "auto" // a GPU where there is one and the work is worth it
	DeviceCPU  = "cpu"
	DeviceGPU  = "gpu" // a failure of it is an error
)

// DeviceNames returns what Options.Device can be.
func DeviceNames() []string { return []string{DeviceAuto, DeviceCPU, DeviceGPU} }

// OpenDevice returns a context whose fits and predictions use the device of that name, and
// what to call after them; "" is auto. tell is told where auto finds a GPU and cannot use it.
func OpenDevice(ctx context.Context, name string, tell func(string)) (context.Context, *device.Device, error) {
	switch name {
	case DeviceCPU:
		return device.With(ctx, nil), nil, nil
	case "", DeviceAuto:
		if device.From(ctx) != nil {
			return ctx, nil, nil
		}
		d := device.Lazy(startWhereFound, tell)
		return device.With(ctx, d), d, nil
	case DeviceGPU:
		path, err := gpu.Find()
		var backend device.Backend
		if err == nil {
			backend, _, err = gpu.Start(ctx, path)
		}
		if err != nil {
			return nil, nil, optionError("device", "", "device must be auto or cpu on this machine: %v", err)
		}
		ctx, fail := context.WithCancelCause(ctx)
		d := device.New(backend, fail)
		return device.With(ctx, d), d, nil
	}
	return nil, nil, oneOf("device", name, DeviceNames()...)
}

// startWhereFound starts the program that drives a GPU; nil where there is none.
func startWhereFound(ctx context.Context) (device.Backend, error) {
	path, err := gpu.Find()
	if err != nil {
		return nil, nil
	}
	b, _, err := gpu.Start(ctx, path)
	return b, err
}

// A GPU is what there is of GPUs on this machine.
type GPU struct {
	Found   bool              `json:"found"`
	Why     string            `json:"why,omitempty"` // none was found
	Program string            `json:"program,omitempty"`
	GPU     *wire.Description `json:"gpu,omitempty"`
}

// FindGPU says which GPU fits would use.
func FindGPU(ctx context.Context) (g GPU) {
	path, err := gpu.Find()
	if err != nil {
		g.Why = err.Error()
		return g
	}
	g.Program = path
	b, about, err := gpu.Start(ctx, path)
	if err != nil {
		g.Why = err.Error()
		return g
	}
	defer b.Close()
	g.Found, g.GPU = true, &about
	return g
}

// useDevice opens the device of the job.
func (j *job) useDevice(ctx context.Context) (context.Context, error) {
	used, d, err := OpenDevice(ctx, j.o.Device, func(why string) { j.notes.say("%s", why) })
	if err != nil {
		return ctx, err
	}
	j.device = d
	return used, nil
}

// deviceFailure returns why the device that had to be used cannot be.
func (j *job) deviceFailure() error {
	if j == nil || j.device.Failure() == nil {
		return nil
	}
	return optionError("device", "{device=auto} falls back to the processor cores", "%v", j.device.Failure())
}

// sayDevice says what the device did.
func (j *job) sayDevice() {
	if j.device == nil {
		return
	}
	switch name, searches := j.device.Used(); {
	case searches > 0:
		j.notes.say("nearest centres or neighbours were found on %s", name)
	case j.o.Device == DeviceGPU:
		j.notes.warn("the cores did all the work: a GPU finds the nearest centres and neighbours of dense rows, and this fit had none to find")
	}
}
