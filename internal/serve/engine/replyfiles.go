package engine

import "os"

// inMessage is the size in bytes up to which an array of a reply stands in the
// message, although the client has named a folder.
const inMessage = 1 << 16

// A holder is a reply with arrays that may be large.
type holder interface{ arrays() []*Array }

func (f *Fitted) arrays() []*Array { return append(f.Details.arrays(), f.Labels, f.Centers) }

func (p *Predicted) arrays() []*Array { return append(p.Details.arrays(), p.Labels, p.Costs) }

func (d *Details) arrays() []*Array {
	if d == nil {
		return nil
	}
	return []*Array{d.Confidence, d.Second, d.Margin}
}

// toFiles writes the large arrays of a reply into the folder that the client named for
// them. What was written when one fails is the client's to remove, with the folder.
func (c *call) toFiles(ok any) error {
	of, has := ok.(holder)
	if c.Folder == "" || !has {
		return nil
	}
	for _, a := range of.arrays() {
		if a == nil || len(a.Bytes) <= inMessage {
			continue
		}
		f, err := os.CreateTemp(c.Folder, "array-*")
		if err != nil {
			return &Error{Kind: KindArray, Message: "cannot write an array of the reply: " + err.Error()}
		}
		_, err = f.Write(a.Bytes)
		if closed := f.Close(); err == nil {
			err = closed
		}
		if err != nil {
			return &Error{Kind: KindArray, Message: "cannot write an array of the reply: " + err.Error()}
		}
		a.Path, a.Bytes = f.Name(), nil
	}
	return nil
}
