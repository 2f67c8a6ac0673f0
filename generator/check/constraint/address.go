package constraint

import (
	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	apiservercel "k8s.io/apiserver/pkg/cel"
)

// addresses adds an order to Kubernetes' addresses, which only know whether they are equal:
//
//	ip(a).between(ip(b), ip(c))  a is not before b and not after c; false when they are not of one family
func addresses() cel.EnvOption {
	address := apiservercel.IPType
	return cel.Function("between", cel.MemberOverload("ip_between_ip_ip", []*cel.Type{address, address, address}, cel.BoolType,
		cel.FunctionBinding(func(args ...ref.Val) ref.Val {
			var all [3]apiservercel.IP
			for i, arg := range args {
				ip, ok := arg.(apiservercel.IP)
				if !ok {
					return types.MaybeNoSuchOverloadErr(arg)
				}
				all[i] = ip
			}
			a, first, last := all[0].Addr, all[1].Addr, all[2].Addr
			oneFamily := a.BitLen() == first.BitLen() && a.BitLen() == last.BitLen()
			return types.Bool(oneFamily && first.Compare(a) <= 0 && a.Compare(last) <= 0)
		})))
}
